package dev.uplift.api.testing;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Map.entry;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.regex.Pattern;

/// A valid request for each operation of the document, with the device `gate`, the host `left`, the release `shopd`
/// 2.0, the upgrade `u-1` and an artifact.
///
/// @param pathVariables values of the variables in paths
/// @param bodies by operation id; other operations have none
public record SampleRequests(Map<String, String> pathVariables, Map<String, String> bodies) {
  public static final String ARTIFACT = "an artifact";
  private static final String ROLLOUT =
      """
      {"package":"shopd","version":"2.0","selection":"true","everything":true}\
      """;
  private static final String POLICY =
      """
      {"package":"shopd","target":{"version":"2.0"},"selection":"device == 'gate'"}\
      """;
  private static final String BARRIER =
      """
      {"package":"shopd","selection":"device == 'gate'"}\
      """;
  private static final Pattern VARIABLE = Pattern.compile("\\{(\\w+)}");

  public static SampleRequests of(TestTenant testTenant) {
    ServerHome serverHome = testTenant.server().home();
    return new SampleRequests(
        Map.ofEntries(
            entry("tenant", testTenant.name()),
            entry("device", "gate"),
            entry("host", "left"),
            entry("label", "ring"),
            entry("value", "1"),
            entry("package", "shopd"),
            entry("version", "2.0"),
            entry("channel", "stable"),
            entry("root_version", "2"),
            entry("id", "u-1"),
            entry("rollout", "r-1"),
            entry("policy", "p-1"),
            entry("barrier", "b-1"),
            entry("webhook", "w-1"),
            entry("selector", "readiness"),
            entry("sha256", sha256(ARTIFACT))),
        Map.ofEntries(
            entry("putTenant", "{}"),
            entry("createApiToken", "{\"name\":\"ci\",\"role\":\"viewer\"}"),
            entry("revokeTokens", "{\"token_id\":\"t-1\"}"),
            entry("putDevice", "{\"hosts\":[\"left\"]}"),
            entry("patchDevice", "{\"labels\":{\"ring\":\"1\"}}"),
            entry(
                "putLabelWindows",
                """
                {"windows":[{"days_of_week":["sun"],"start_time":"02:00","duration":"4h"}]}\
                """),
            entry("createEnrolmentTokens", "{\"hosts\":[{\"device\":\"door\",\"host\":\"right\"}]}"),
            entry("holdDevice", "{\"reason\":\"trade fair\"}"),
            entry("holdDevices", "{\"selection\":\"true\",\"everything\":true,\"reason\":\"trade fair\"}"),
            entry("endHolds", "{\"selection\":\"true\",\"everything\":true}"),
            entry("setPin", "{\"version\":\"1.0\",\"reason\":\"trade fair\"}"),
            entry("stopTenant", "{\"reason\":\"trade fair\"}"),
            entry("moveChannel", "{\"version\":\"2.0\"}"),
            entry("clearDeviceFailures", "{\"package\":\"shopd\",\"version\":\"2.0\",\"reason\":\"no power\"}"),
            entry(
                "clearFailures",
                """
                {"selection":"true","everything":true,"package":"shopd","version":"2.0","reason":"no power"}\
                """),
            entry("startUpgrade", "{\"package\":\"shopd\",\"version\":\"2.0\"}"),
            entry("extendDeadline", "{\"not_after\":\"%s\"}".formatted(Instant.now().plus(Duration.ofDays(2)))),
            entry("createRollout", ROLLOUT),
            entry("putPolicy", POLICY),
            entry("startBarrier", BARRIER),
            entry("patchPolicy", "{\"priority\":3}"),
            entry("putWebhook", "{\"url\":\"https://example.com/uplift\"}"),
            entry("patchRollout", "{\"title\":\"the north first\"}"),
            entry("putRolloutRules", "{\"thresholds\":{\"failures\":5}}"),
            entry("approveWave", "{\"revision\":1}"),
            entry("addRolloutDevices", "{\"devices\":[\"gate\"]}"),
            entry("skipRolloutDevices", "{\"devices\":[\"gate\"]}"),
            entry("putOsUpgrade", "{\"worker-applications\":[{\"name\":\"os\"}]}"),
            entry("patchOsUpgrade", "{\"maintenance-windows\":[]}"),
            entry("putArtifact", ARTIFACT),
            entry("publishRelease", serverHome.release("shopd", "2.0", 20)),
            entry("publishRoot", serverHome.root(testTenant.name()).next().body(serverHome.rootKey()))));
  }

  /// Returns a copy with another value of a path variable.
  public SampleRequests with(String name, String value) {
    Map<String, String> others = new HashMap<>(pathVariables);
    others.put(name, value);
    return new SampleRequests(others, bodies);
  }

  public SampleRequests withBody(String operation, String body) {
    Map<String, String> others = new HashMap<>(bodies);
    others.put(operation, body);
    return new SampleRequests(pathVariables, others);
  }

  /// The path with the query parameters that the operation requires.
  public String path(ApiOperation apiOperation) {
    String path =
        VARIABLE
            .matcher(apiOperation.path())
            .replaceAll(variable -> pathVariables.getOrDefault(variable.group(1), "none"));
    return switch (apiOperation.id()) {
      case "countVersions", "countVersionsByDay" -> path + "?package=" + pathVariables.get("package");
      case "deleteTenant" -> path + "?confirm=" + pathVariables.get("tenant");
      default -> path;
    };
  }

  public TestResponse send(ApiOperation apiOperation, TestClient testClient) {
    return send(apiOperation, testClient, "");
  }

  /// Sends the request of the operation.
  ///
  /// @param query further parameters, with their `?`
  public TestResponse send(ApiOperation apiOperation, TestClient testClient, String query) {
    String path = path(apiOperation);
    return testClient
        .withHeader("Content-Type", "application/json")
        .sendRaw(
            apiOperation.method(),
            path + (path.contains("?") ? query.replace('?', '&') : query),
            bodies.getOrDefault(apiOperation.id(), "").getBytes(UTF_8));
  }

  private static String sha256(String text) {
    try {
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(UTF_8));
      return HexFormat.of().formatHex(digest);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
