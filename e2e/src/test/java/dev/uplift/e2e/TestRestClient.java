package dev.uplift.e2e;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.uplift.protocol.ReleaseManifest;
import dev.uplift.protocol.enrolment.EnrolmentResponse;
import dev.uplift.protocol.enrolment.JoinRequest;
import dev.uplift.protocol.enrolment.JoinToken;
import dev.uplift.protocol.nats.Credentials;
import dev.uplift.protocol.nats.Nkey;
import dev.uplift.protocol.signature.SignatureDomain;
import dev.uplift.protocol.signature.SigningKey;
import dev.uplift.temporaldev.stack.Stack;
import dev.uplift.temporaldev.stack.UpliftServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// An operator of a tenant, with REST and the release key.
final class TestRestClient {
  private static final JsonMapper JSON = new JsonMapper();
  private static final Duration TIMEOUT = Duration.ofSeconds(20);
  private static final int LOG_LINES = 25;
  private static final Instant CREATED = Instant.parse("2026-01-01T00:00:00Z");

  private final HttpClient http = HttpClient.newHttpClient();
  private final Stack stack;
  private final String url;
  private final Path serverLog;
  private final String tenant;

  TestRestClient(Stack stack, String tenant) {
    this(stack, stack.url(), stack.server().logFile(), tenant);
    call("PUT", URI.create(url + "/v1/tenants/" + tenant), "{}", "").expectStatus(200, 201);
    publishRoots();
  }

  private TestRestClient(Stack stack, String url, Path serverLog, String tenant) {
    this.stack = stack;
    this.url = url;
    this.serverLog = serverLog;
    this.tenant = tenant;
  }

  /// Returns a client of another server of the stack.
  TestRestClient atServer(UpliftServer other) {
    return new TestRestClient(stack, other.url(), other.logFile(), tenant);
  }

  /// Joins as a host, like its agent. Returns its NATS credentials.
  Credentials join(String device, String host) {
    RestResponse made = call("POST", "devices/%s/hosts/%s/enrolments".formatted(device, host), Map.of());
    JoinToken token = JoinToken.decode(made.expectStatus(201).body().path("token").asString());
    Nkey key = Nkey.generate(Nkey.Kind.USER);
    String request = new String(JoinRequest.of(token, key).write(), UTF_8);
    RestResponse restResponse = call("POST", URI.create(url + "/v1/join"), request, "").expectStatus(200);
    return new Credentials(EnrolmentResponse.read(restResponse.text().getBytes(UTF_8)).jwt(), key);
  }

  /// Publishes all roots in the stack's folder of this tenant.
  void publishRoots() {
    Path roots = stack.secrets().rootFolder(tenant);
    try {
      for (int version = 1; Files.exists(roots.resolve(version + ".root.json")); version++) {
        String text = Files.readString(roots.resolve(version + ".root.json"));
        String signature = Files.readString(roots.resolve(version + ".root.sig"));
        call("PUT", "trust/" + version, Map.of("root", text, "signature", signature)).expectStatus(200, 201);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  void putDevice(String device, String... hosts) {
    call("PUT", "devices/" + device, Map.of("hosts", List.of(hosts))).expectStatus(200, 201);
  }

  /// Creates a device with one label.
  void putDevice(String device, String host, String label, String value) {
    call("PUT", "devices/" + device, Map.of("hosts", List.of(host), "labels", Map.of(label, value)))
        .expectStatus(200, 201);
  }

  /// Signs and publishes a release without an artifact.
  void publish(String packageName, String kind, String version, long sequence) {
    publish(packageName, kind, version, sequence, Map.of());
  }

  /// As above, with arguments for its driver.
  void publish(String packageName, String kind, String version, long sequence, Map<String, String> arguments) {
    publish(
        new ReleaseManifest(
            packageName, kind, version, sequence, Optional.empty(), new TreeMap<>(arguments), List.of(), CREATED));
  }

  /// As above, with an artifact.
  void publish(String packageName, String kind, String version, long sequence, byte[] artifact) {
    publish(packageName, kind, version, sequence, artifact, Map.of());
  }

  /// As above, with both.
  void publish(
      String packageName, String kind, String version, long sequence, byte[] artifact, Map<String, String> arguments) {
    String digest = sha256(artifact);
    send("PUT", uri("artifacts/" + digest), BodyPublishers.ofByteArray(artifact), Map.of()).expectStatus(200, 201);
    publish(
        new ReleaseManifest(
            packageName,
            kind,
            version,
            sequence,
            Optional.of(new ReleaseManifest.Artifact(artifact.length, digest)),
            new TreeMap<>(arguments),
            List.of(),
            CREATED));
  }

  private void publish(ReleaseManifest manifest) {
    String text = new String(manifest.write(), UTF_8);
    publish(text, signed(text, SignatureDomain.RELEASE)).expectStatus(200, 201);
  }

  /// Signs a published release as one that may replace a newer one.
  void allowDowngradeTo(String packageName, String version) {
    String text = get("releases/" + packageName + "/" + version).expectStatus(200).body().path("release").asString();
    publish(text, signed(text, SignatureDomain.RELEASE) + "\n" + signed(text, SignatureDomain.DOWNGRADE))
        .expectStatus(200);
  }

  private String signed(String text, SignatureDomain signatureDomain) {
    try {
      return SigningKey.read(stack.secrets().releaseKeyFile()).sign(signatureDomain, text.getBytes(UTF_8));
    } catch (IOException | GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  /// Publishes a signed release.
  RestResponse publish(String release, String signature) {
    return call("POST", "releases", Map.of("release", release, "signature", signature));
  }

  private static String sha256(byte[] bytes) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  /// Starts an upgrade with this id.
  RestResponse startUpgrade(String id, String device, String packageName, String version) {
    return startUpgrade(id, device, packageName, version, Map.of());
  }

  /// As above, with further options.
  RestResponse startUpgrade(String id, String device, String packageName, String version, Map<String, ?> more) {
    var body = new HashMap<String, Object>(more);
    body.put("package", packageName);
    body.put("version", version);
    String text = JSON.writeValueAsString(body);
    return call("POST", uri("devices/" + device + "/upgrades"), text, id);
  }

  /// Reverts a finished upgrade, by one with this id.
  RestResponse revertUpgrade(String done, String id) {
    return call("POST", uri("upgrades/" + done + "/revert"), "{}", id);
  }

  JsonNode upgrade(String id) {
    return call("GET", "upgrades/" + id, Map.of()).expectStatus(200).body();
  }

  /// Returns the outcome; empty while it runs.
  String outcome(String id) {
    return upgrade(id).path("outcome").asString("");
  }

  RestResponse sendAction(String id, String verb, Map<String, ?> body) {
    return call("POST", "upgrades/" + id + "/" + verb, body);
  }

  /// Starts a rollout with this id, unless it has been started.
  void startRollout(String id, Map<String, ?> plan) {
    call("POST", uri("rollouts"), JSON.writeValueAsString(plan), id).expectStatus(200, 201);
  }

  /// Starts a barrier of this name, unless it has been started.
  void startBarrier(String name, Map<String, ?> barrier) {
    call("POST", uri("barriers"), JSON.writeValueAsString(barrier), name).expectStatus(200, 201);
  }

  RestResponse sendRolloutAction(String id, String verb) {
    return call("POST", "rollouts/" + id + "/" + verb, Map.of());
  }

  JsonNode rollout(String id) {
    return get("rollouts/" + id).expectStatus(200).body();
  }

  JsonNode health() {
    return call("GET", URI.create(url + "/health"), "", "").body();
  }

  /// Returns the findings of the server about itself and everything that it depends on.
  JsonNode diagnosis() {
    return call("GET", URI.create(url + "/v1/diagnosis"), "", "").expectStatus(200).body();
  }

  RestResponse get(String path) {
    return call("GET", path, Map.of());
  }

  RestResponse call(String method, String path, Map<String, ?> body) {
    return call(method, uri(path), JSON.writeValueAsString(body), "");
  }

  /// Sends a request to a path that does not begin with that of the tenant.
  RestResponse callAt(String method, String path, String body) {
    return call(method, URI.create(url + path), body, "");
  }

  private URI uri(String path) {
    return URI.create(url + "/v1/tenants/" + tenant + "/" + path);
  }

  private RestResponse call(String method, URI uri, String body, String key) {
    Map<String, String> headers = new HashMap<>();
    if (!method.equals("GET")) {
      headers.put("Content-Type", "application/json");
    }
    if (!key.isEmpty()) {
      headers.put("Idempotency-Key", key);
    }
    return send(method, uri, method.equals("GET") ? BodyPublishers.noBody() : BodyPublishers.ofString(body), headers);
  }

  private RestResponse send(String method, URI uri, BodyPublisher body, Map<String, String> headers) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(uri)
            .timeout(TIMEOUT)
            .header("Authorization", "Bearer " + stack.tokens().admin())
            .method(method, body);
    headers.forEach(request::header);
    try {
      HttpResponse<String> answer = http.send(request.build(), HttpResponse.BodyHandlers.ofString());
      return new RestResponse(method + " " + uri, answer.statusCode(), answer.body(), serverLog);
    } catch (IOException e) {
      throw new IllegalStateException(method + " " + uri, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(method + " " + uri, e);
    }
  }

  /// The response of the server.
  ///
  /// @param log of the server, which has the cause of a response that nobody expects
  record RestResponse(String request, int status, String text, Path log) {
    RestResponse expectStatus(int... expected) {
      for (int one : expected) {
        if (one == status) {
          return this;
        }
      }
      throw new AssertionError(
          "%s was answered with %d: %s%s".formatted(request, status, text, status < 500 ? "" : "\n" + endOfLog()));
    }

    private String endOfLog() {
      try {
        // Programs write what they want into it.
        List<String> lines = Files.readAllLines(log, ISO_8859_1);
        return String.join("\n", lines.subList(Math.max(0, lines.size() - LOG_LINES), lines.size()));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    JsonNode body() {
      return JSON.readTree(text);
    }
  }
}
