package dev.uplift.api.server;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.uplift.api.Server;
import dev.uplift.api.settings.Settings;
import dev.uplift.api.settings.WrongSettings;
import dev.uplift.protocol.Purpose;
import dev.uplift.store.Roots;
import io.micronaut.context.ApplicationContext;
import io.micronaut.runtime.server.EmbeddedServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/// The real application on a port of its own.
public final class TestServer implements AutoCloseable {
  private static final AtomicInteger TENANTS = new AtomicInteger();

  private final Home home;
  private final EmbeddedServer server;
  private final HttpClient http = HttpClient.newHttpClient();

  private TestServer(Home home, Map<String, String> environment) {
    this.home = home;
    try {
      this.server = Server.in(Settings.of(environment), Map.of("micronaut.server.port", -1));
    } catch (WrongSettings e) {
      throw new IllegalStateException(e);
    }
  }

  /// With its tables alone: NATS and Temporal are away.
  public static TestServer alone() {
    Home home = new Home();
    return new TestServer(home, home.environment());
  }

  /// As its environment says; ends `home` with itself.
  public static TestServer of(Home home, Map<String, String> environment) {
    return new TestServer(home, environment);
  }

  public URI uri() {
    return server.getURI();
  }

  public Home home() {
    return home;
  }

  public <T> T bean(Class<T> type) {
    return context().getBean(type);
  }

  public ApplicationContext context() {
    return server.getApplicationContext();
  }

  /// A tenant that nobody else uses.
  public Tenant newTenant() {
    String name = "tenant-" + TENANTS.incrementAndGet();
    anyone("admin", "*").send("PUT", "/v1/tenants/" + name, "{}").is(201);
    trust(name);
    return new Tenant(this, name);
  }

  /// Has the tenant go by the keys of this server's home. Nobody has done it: it is in no audit.
  void trust(String tenant) {
    RootDraft root = home.root(tenant);
    String signature = home.rootKey().sign(Purpose.ROOT, root.text());
    bean(Roots.class).put(tenant, 1, new String(root.text(), UTF_8), signature);
  }

  /// Somebody with a token.
  public Client anyone(String role, String tenant) {
    return new Client(this, Map.of("Authorization", "Bearer " + Token.of(tenant, role)));
  }

  /// Somebody without one.
  public Client nobody() {
    return new Client(this, Map.of());
  }

  Answer send(String method, String path, byte[] body, Map<String, String> headers) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(uri().resolve(path))
            .timeout(Duration.ofSeconds(60))
            .method(method, BodyPublishers.ofByteArray(body));
    headers.forEach(request::header);
    try {
      return new Answer(http.send(request.build(), BodyHandlers.ofByteArray()));
    } catch (IOException e) {
      throw new UncheckedIOException(method + " " + path, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    http.close();
    server.close();
    home.close();
  }
}
