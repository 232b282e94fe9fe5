package dev.uplift.testservers;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.uplift.temporaldev.process.HttpProbe;
import dev.uplift.temporaldev.process.LogFile;
import dev.uplift.temporaldev.process.Reaper;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;
import tools.jackson.databind.json.JsonMapper;

/// A Keycloak, as a process: an OpenID Connect issuer as customers have it. Its database is in memory; its realm
/// `uplift` is in `keycloak-realm.json`, where the password of a user is `password-of-` and the name.
///
/// It starts in about 15 s. [KeycloakPrograms] has it in the cache of server programs.
public final class KeycloakServer implements AutoCloseable {
  private static final JsonMapper JSON = JsonMapper.shared();
  private static final Duration START_TIMEOUT = Duration.ofMinutes(2);
  private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(30);
  private static final String ADMIN = "admin";

  private final HttpClient http = HttpClient.newHttpClient();
  private final Process process;
  private final URI address;

  private KeycloakServer(Process process, URI address) {
    this.process = process;
    this.address = address;
  }

  /// Returns when it answers and has the realm.
  public static KeycloakServer start() {
    Path home = KeycloakPrograms.find();
    int port = freePort();
    Path log = Reaper.ofThisJvm().temporaryFolder("uplift-keycloak-").resolve("log");
    var builder =
        KeycloakPrograms.command(
            home,
            "start",
            "--optimized",
            "--http-enabled=true",
            "--hostname-strict=false",
            "--http-host=127.0.0.1",
            "--http-port=" + port,
            "--cache=local");
    builder.redirectErrorStream(true).redirectOutput(log.toFile());
    builder.environment().put("KC_BOOTSTRAP_ADMIN_USERNAME", ADMIN);
    builder.environment().put("KC_BOOTSTRAP_ADMIN_PASSWORD", password(ADMIN));
    // Short runs: what the second compiler would gain is not gained back.
    builder.environment().put("JAVA_OPTS_APPEND", "-XX:TieredStopAtLevel=1 -Xmx400m");
    try {
      var server =
          new KeycloakServer(Reaper.ofThisJvm().start(builder, "keycloak"), URI.create("http://127.0.0.1:" + port));
      server.awaitStart(log);
      server.createRealm();
      return server;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static int freePort() {
    try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void awaitStart(Path log) {
    Awaitility.await("Keycloak starts")
        .atMost(START_TIMEOUT)
        .pollInterval(Duration.ofMillis(200))
        .failFast(() -> {
          if (!process.isAlive()) {
            throw new IllegalStateException("Keycloak has ended:\n" + LogFile.tail(log));
          }
        })
        .until(() -> HttpProbe.respondsOk(address + "/realms/master"));
  }

  private void createRealm() throws IOException {
    try (InputStream realm = Objects.requireNonNull(KeycloakServer.class.getResourceAsStream("keycloak-realm.json"))) {
      var _ = admin("POST", "/admin/realms", new String(realm.readAllBytes(), UTF_8));
    }
  }

  /// Returns what the claim `iss` of its tokens is.
  public URI issuer() {
    return address.resolve("/realms/uplift");
  }

  /// Returns an access token of a user for a client.
  public String accessToken(String client, String user) {
    return accessToken("uplift", client, user);
  }

  private String accessToken(String realm, String client, String user) {
    Map<String, String> form =
        Map.of("grant_type", "password", "client_id", client, "username", user, "password", password(user));
    String body =
        form.entrySet().stream()
            .map(field -> field.getKey() + "=" + URLEncoder.encode(field.getValue(), UTF_8))
            .collect(Collectors.joining("&"));
    String answer =
        send(
            HttpRequest.newBuilder(address.resolve("/realms/" + realm + "/protocol/openid-connect/token"))
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(BodyPublishers.ofString(body)));
    return JSON.readTree(answer).path("access_token").asString("");
  }

  /// Does what a user does in a browser who is sent to this address: logs in, confirms, and goes where that leads.
  public void logIn(URI page, String user) {
    new FormBrowser().submitForms(page, Map.of("username", user, "password", password(user), "accept", "Yes"));
  }

  private static String password(String user) {
    return "password-of-" + user;
  }

  /// Gives the realm another key, which signs from now on. Earlier ones stay published.
  public void rotateKey() {
    String realm = JSON.readTree(admin("GET", "/admin/realms/uplift", "")).path("id").asString("");
    var key = JSON.createObjectNode();
    key.put("name", "rotated").put("providerId", "rsa-generated").put("providerType", "org.keycloak.keys.KeyProvider");
    key.put("parentId", realm);
    key.putObject("config").putArray("priority").add("200");
    var _ = admin("POST", "/admin/realms/uplift/components", key.toString());
  }

  private String admin(String method, String path, String body) {
    return send(
        HttpRequest.newBuilder(address.resolve(path))
            .header("Authorization", "Bearer " + accessToken("master", "admin-cli", ADMIN))
            .header("Content-Type", "application/json")
            .method(method, BodyPublishers.ofString(body)));
  }

  private String send(HttpRequest.Builder builder) {
    HttpRequest request = builder.timeout(REQUEST_TIMEOUT).build();
    try {
      HttpResponse<String> response = http.send(request, BodyHandlers.ofString());
      if (response.statusCode() >= 300) {
        throw new IllegalStateException(
            "%s %s: %d %s".formatted(request.method(), request.uri(), response.statusCode(), response.body()));
      }
      return response.body();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /// Ends it at once.
  public void kill() {
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly().onExit().join();
  }

  @Override
  public void close() {
    kill();
    http.close();
  }
}
