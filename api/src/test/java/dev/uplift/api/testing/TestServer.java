package dev.uplift.api.testing;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.uplift.api.Server;
import dev.uplift.api.settings.InvalidSettings;
import dev.uplift.api.settings.Settings;
import dev.uplift.protocol.signature.SignatureDomain;
import dev.uplift.store.trust.TrustRootRepository;
import io.micronaut.context.ApplicationContext;
import io.micronaut.http.MediaType;
import io.micronaut.runtime.server.EmbeddedServer;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/// The real application on a port of its own.
public final class TestServer implements AutoCloseable {
  private static final AtomicInteger TENANTS = new AtomicInteger();

  private final ServerHome home;
  private final EmbeddedServer server;
  private final HttpClient http = HttpClient.newHttpClient();

  private TestServer(ServerHome home, Map<String, String> environment) {
    this.home = home;
    try {
      this.server = Server.startEmbedded(Settings.of(environment), Map.of("micronaut.server.port", -1));
    } catch (InvalidSettings e) {
      throw new IllegalStateException(e);
    }
  }

  /// Starts a server with a database, but without NATS and Temporal.
  public static TestServer withoutDependencies() {
    ServerHome serverHome = new ServerHome();
    return new TestServer(serverHome, serverHome.environment());
  }

  /// Starts a server with this environment, which also closes its home.
  public static TestServer of(ServerHome serverHome, Map<String, String> environment) {
    return new TestServer(serverHome, environment);
  }

  public URI uri() {
    return server.getURI();
  }

  public ServerHome home() {
    return home;
  }

  public <T> T bean(Class<T> type) {
    return context().getBean(type);
  }

  public ApplicationContext context() {
    return server.getApplicationContext();
  }

  /// Creates a tenant for one test.
  public TestTenant newTenant() {
    String name = "tenant-" + TENANTS.incrementAndGet();
    clientWithRole("admin", "*").send("PUT", "/v1/tenants/" + name, "{}").expectStatus(201);
    storeRoot(name);
    return new TestTenant(this, name);
  }

  /// Stores a root of the tenant with the keys of this server's home, without an audit entry.
  public void storeRoot(String tenant) {
    TestRoot root = home.root(tenant);
    String signature = home.rootKey().sign(SignatureDomain.ROOT, root.text());
    bean(TrustRootRepository.class).putIfAbsent(tenant, 1, new String(root.text(), UTF_8), signature);
  }

  /// Returns a client with a token.
  public TestClient clientWithRole(String role, String tenant) {
    return new TestClient(this, Map.of("Authorization", "Bearer " + TestTokens.of(tenant, role)));
  }

  /// Returns a client without a token.
  public TestClient anonymousClient() {
    return new TestClient(this, Map.of());
  }

  TestResponse send(String method, String path, byte[] body, Map<String, String> headers) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(uri().resolve(path))
            .timeout(Duration.ofSeconds(60))
            .method(method, BodyPublishers.ofByteArray(body));
    headers.forEach(request::header);
    try {
      HttpResponse<InputStream> response = http.send(request.build(), BodyHandlers.ofInputStream());
      try (InputStream bytes = response.body()) {
        return new TestResponse(response, isEventStream(response) ? new byte[0] : bytes.readAllBytes());
      }
    } catch (IOException e) {
      throw new UncheckedIOException(method + " " + path, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /// An event stream is left once its headers are here, because it need not end.
  private static boolean isEventStream(HttpResponse<?> response) {
    return response
        .headers()
        .firstValue("Content-Type")
        .filter(type -> type.startsWith(MediaType.TEXT_EVENT_STREAM))
        .isPresent();
  }

  @Override
  public void close() {
    http.close();
    server.close();
    home.close();
  }
}
