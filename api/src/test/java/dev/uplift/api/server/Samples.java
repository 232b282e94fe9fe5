package dev.uplift.api.server;

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

/// A good request for each operation of the document: of a tenant's device `gate` with the host
/// `left`, the release `shopd` 2.0, the upgrade `u-1` and an artifact.
///
/// @param names what stands for the variables of a path
/// @param bodies by the ids of operations; others have none
public record Samples(Map<String, String> names, Map<String, String> bodies) {
  public static final String ARTIFACT = "an artifact";
  private static final String ROLLOUT =
      """
      {"package":"shopd","version":"2.0","selection":"true","everything":true}\
      """;
  private static final Pattern VARIABLE = Pattern.compile("\\{(\\w+)}");

  public static Samples of(Tenant tenant) {
    Home home = tenant.server().home();
    return new Samples(
        Map.ofEntries(
            entry("tenant", tenant.name()),
            entry("device", "gate"),
            entry("host", "left"),
            entry("label", "ring"),
            entry("value", "1"),
            entry("package", "shopd"),
            entry("version", "2.0"),
            entry("number", "2"),
            entry("id", "u-1"),
            entry("rollout", "r-1"),
            entry("sha256", sha256(ARTIFACT))),
        Map.ofEntries(
            entry("putTenant", "{}"),
            entry("putDevice", "{\"hosts\":[\"left\"]}"),
            entry("patchDevice", "{\"labels\":{\"ring\":\"1\"}}"),
            entry(
                "putLabelWindows",
                """
                {"windows":[{"days_of_week":["sun"],"start_time":"02:00","duration":"4h"}]}\
                """),
            entry("inviteHosts", "{\"hosts\":[{\"device\":\"door\",\"host\":\"right\"}]}"),
            entry("holdDevice", "{\"reason\":\"trade fair\"}"),
            entry("startUpgrade", "{\"package\":\"shopd\",\"version\":\"2.0\"}"),
            entry(
                "extendDeadline",
                "{\"not_after\":\"%s\"}".formatted(Instant.now().plus(Duration.ofDays(2)))),
            entry("createRollout", ROLLOUT),
            entry("patchRollout", "{\"title\":\"the north first\"}"),
            entry("putRules", "{\"thresholds\":{\"failures\":5}}"),
            entry("addDevice", "{\"device\":\"gate\"}"),
            entry("putArtifact", ARTIFACT),
            entry("publishRelease", home.release("shopd", "2.0", 20)),
            entry("publishRoot", home.root(tenant.name()).next().body(home.rootKey()))));
  }

  /// The same for something of another name.
  public Samples with(String name, String value) {
    Map<String, String> others = new HashMap<>(names);
    others.put(name, value);
    return new Samples(others, bodies);
  }

  public Samples withBody(String operation, String body) {
    Map<String, String> others = new HashMap<>(bodies);
    others.put(operation, body);
    return new Samples(names, others);
  }

  public String path(Operation operation) {
    String path =
        VARIABLE
            .matcher(operation.path())
            .replaceAll(variable -> names.getOrDefault(variable.group(1), "none"));
    return operation.id().equals("countVersions")
        ? path + "?package=" + names.get("package")
        : path;
  }

  public Answer send(Operation operation, Client client) {
    return send(operation, client, "");
  }

  public Answer send(Operation operation, Client client, String query) {
    return client
        .with("Content-Type", "application/json")
        .sendAsIs(
            operation.method(),
            path(operation) + query,
            bodies.getOrDefault(operation.id(), "").getBytes(UTF_8));
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
