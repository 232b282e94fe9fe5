package dev.uplift.e2e;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.uplift.protocol.Purpose;
import dev.uplift.protocol.ReleaseManifest;
import dev.uplift.protocol.SigningKey;
import dev.uplift.protocol.enrolment.Admission;
import dev.uplift.protocol.enrolment.JoinRequest;
import dev.uplift.protocol.enrolment.JoinToken;
import dev.uplift.protocol.nats.Credentials;
import dev.uplift.protocol.nats.Nkey;
import dev.uplift.temporaldev.Server;
import dev.uplift.temporaldev.Stack;
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

/// An operator of a tenant, who has REST and the release key.
final class RestClient {
  private static final JsonMapper JSON = new JsonMapper();
  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final Instant CREATED = Instant.parse("2026-01-01T00:00:00Z");

  private final HttpClient http = HttpClient.newHttpClient();
  private final Stack stack;
  private final Server server;
  private final String tenant;

  RestClient(Stack stack, String tenant) {
    this(stack, stack.server(), tenant);
    call("PUT", URI.create(server.url() + "/v1/tenants/" + tenant), "{}", "").expect(200, 201);
    publishRoots();
  }

  private RestClient(Stack stack, Server server, String tenant) {
    this.stack = stack;
    this.server = server;
    this.tenant = tenant;
  }

  /// The same operator at another server of the stack.
  RestClient at(Server other) {
    return new RestClient(stack, other, tenant);
  }

  /// A host joins, as its agent would have it. Returns what it logs in to NATS with.
  Credentials join(String device, String host) {
    Answer made = call("POST", "devices/%s/hosts/%s/enrolments".formatted(device, host), Map.of());
    JoinToken token = JoinToken.of(made.expect(201).body().path("token").asString());
    Nkey key = Nkey.generate(Nkey.Kind.USER);
    String request = new String(JoinRequest.of(token, key).write(), UTF_8);
    Answer answer = call("POST", URI.create(server.url() + "/v1/join"), request, "").expect(200);
    return new Credentials(Admission.read(answer.text().getBytes(UTF_8)).jwt(), key);
  }

  /// All that there are in the stack's folder of this tenant.
  void publishRoots() {
    Path roots = stack.secrets().roots(tenant);
    try {
      for (int version = 1; Files.exists(roots.resolve(version + ".root.json")); version++) {
        String text = Files.readString(roots.resolve(version + ".root.json"));
        String signature = Files.readString(roots.resolve(version + ".root.sig"));
        call("PUT", "trust/" + version, Map.of("root", text, "signature", signature))
            .expect(200, 201);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  void putDevice(String device, String... hosts) {
    call("PUT", "devices/" + device, Map.of("hosts", List.of(hosts))).expect(200, 201);
  }

  /// With one label.
  void putDevice(String device, String host, String label, String value) {
    call("PUT", "devices/" + device, Map.of("hosts", List.of(host), "labels", Map.of(label, value)))
        .expect(200, 201);
  }

  /// A release without an artifact, signed.
  void publish(String packageName, String kind, String version, long sequence) {
    publish(packageName, kind, version, sequence, Map.of());
  }

  /// The same, with arguments for its driver.
  void publish(
      String packageName,
      String kind,
      String version,
      long sequence,
      Map<String, String> arguments) {
    publish(
        new ReleaseManifest(
            packageName,
            kind,
            version,
            sequence,
            Optional.empty(),
            new TreeMap<>(arguments),
            List.of(),
            CREATED));
  }

  /// The same, with an artifact.
  void publish(String packageName, String kind, String version, long sequence, byte[] artifact) {
    publish(packageName, kind, version, sequence, artifact, Map.of());
  }

  /// The same, with both.
  void publish(
      String packageName,
      String kind,
      String version,
      long sequence,
      byte[] artifact,
      Map<String, String> arguments) {
    String digest = sha256(artifact);
    send("PUT", uri("artifacts/" + digest), BodyPublishers.ofByteArray(artifact), Map.of())
        .expect(200, 201);
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
    publish(text, signed(text, Purpose.RELEASE)).expect(200, 201);
  }

  /// What was published may come after a newer one, too.
  void allowGoingBackTo(String packageName, String version) {
    String text =
        get("releases/" + packageName + "/" + version)
            .expect(200)
            .body()
            .path("release")
            .asString();
    publish(text, signed(text, Purpose.RELEASE) + "\n" + signed(text, Purpose.DOWNGRADE))
        .expect(200);
  }

  private String signed(String text, Purpose purpose) {
    try {
      return SigningKey.read(stack.secrets().releaseKey()).sign(purpose, text.getBytes(UTF_8));
    } catch (IOException | GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  /// What somebody has signed.
  Answer publish(String release, String signature) {
    return call("POST", "releases", Map.of("release", release, "signature", signature));
  }

  private static String sha256(byte[] bytes) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  /// Starts an upgrade of that id.
  Answer start(String id, String device, String packageName, String version) {
    return start(id, device, packageName, version, Map.of());
  }

  /// The same, with more of what an upgrade can be told.
  Answer start(String id, String device, String packageName, String version, Map<String, ?> more) {
    var body = new HashMap<String, Object>(more);
    body.put("package", packageName);
    body.put("version", version);
    String text = JSON.writeValueAsString(body);
    return call("POST", uri("devices/" + device + "/upgrades"), text, id);
  }

  /// Takes an upgrade that is done back, by one of that id.
  Answer revert(String done, String id) {
    return call("POST", uri("upgrades/" + done + "/revert"), "{}", id);
  }

  JsonNode upgrade(String id) {
    return call("GET", "upgrades/" + id, Map.of()).expect(200).body();
  }

  /// How it ended; empty while it runs.
  String outcome(String id) {
    return upgrade(id).path("outcome").asString("");
  }

  Answer steer(String id, String verb, Map<String, ?> body) {
    return call("POST", "upgrades/" + id + "/" + verb, body);
  }

  /// Begins a rollout of that id.
  void startRollout(String id, Map<String, ?> plan) {
    call("POST", uri("rollouts"), JSON.writeValueAsString(plan), id).expect(201);
  }

  Answer steerRollout(String id, String verb) {
    return call("POST", "rollouts/" + id + "/" + verb, Map.of());
  }

  JsonNode rollout(String id) {
    return get("rollouts/" + id).expect(200).body();
  }

  Answer get(String path) {
    return call("GET", path, Map.of());
  }

  Answer call(String method, String path, Map<String, ?> body) {
    return call(method, uri(path), JSON.writeValueAsString(body), "");
  }

  private URI uri(String path) {
    return URI.create(server.url() + "/v1/tenants/" + tenant + "/" + path);
  }

  private Answer call(String method, URI uri, String body, String key) {
    Map<String, String> headers = new HashMap<>();
    if (!method.equals("GET")) {
      headers.put("Content-Type", "application/json");
    }
    if (!key.isEmpty()) {
      headers.put("Idempotency-Key", key);
    }
    return send(
        method,
        uri,
        method.equals("GET") ? BodyPublishers.noBody() : BodyPublishers.ofString(body),
        headers);
  }

  private Answer send(String method, URI uri, BodyPublisher body, Map<String, String> headers) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(uri)
            .timeout(PATIENCE)
            .header("Authorization", "Bearer " + stack.tokens().admin())
            .method(method, body);
    headers.forEach(request::header);
    try {
      HttpResponse<String> answer =
          http.send(request.build(), HttpResponse.BodyHandlers.ofString());
      return new Answer(method + " " + uri, answer.statusCode(), answer.body());
    } catch (IOException e) {
      throw new IllegalStateException(method + " " + uri, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(method + " " + uri, e);
    }
  }

  /// What the server answered.
  record Answer(String to, int status, String text) {
    Answer expect(int... expected) {
      for (int one : expected) {
        if (one == status) {
          return this;
        }
      }
      throw new AssertionError(to + " was answered by " + status + ": " + text);
    }

    JsonNode body() {
      return JSON.readTree(text);
    }
  }
}
