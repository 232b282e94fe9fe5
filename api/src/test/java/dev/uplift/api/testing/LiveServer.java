package dev.uplift.api.testing;

import static org.awaitility.Awaitility.await;

import dev.uplift.temporaldev.stack.Stack;
import dev.uplift.testservers.TestServers;
import io.nats.client.Connection;
import io.nats.client.Nats;
import io.nats.client.Options;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/// The real application on real Temporal and real NATS, with a tenant `acme` that has releases of the package `shopd`.
public final class LiveServer implements AutoCloseable {
  public static final String TENANT = "acme";
  public static final String PACKAGE = "shopd";

  private static final Duration TIMEOUT = Duration.ofSeconds(90);

  private final AtomicInteger devices = new AtomicInteger();
  private final Stack stack;
  private final TestServer server;

  public LiveServer() {
    stack = TestServers.stack().temporalInMemory().open();
    stack.nats().start();
    stack.temporal().start();
    ServerHome serverHome = new ServerHome();
    server = TestServer.of(serverHome, environment(serverHome, stack));
    server.clientWithRole("admin", "*").send("PUT", "/v1/tenants/" + TENANT, "{}").expectStatus(201);
    server.storeRoot(TENANT);
    publish("1.0", 10);
    publish("2.0", 20);
    await().atMost(TIMEOUT).until(() -> server.anonymousClient().get("/health").status() == 200);
  }

  private static Map<String, String> environment(ServerHome serverHome, Stack stack) {
    Map<String, String> environment = serverHome.environment();
    environment.put("UPLIFT_TEMPORAL_ADDRESS", stack.temporal().target());
    environment.put("UPLIFT_TEMPORAL_UI_URL", stack.temporal().uiUrl());
    environment.put("UPLIFT_NATS_URL", stack.nats().url());
    environment.put("UPLIFT_NATS_CREDENTIALS_FILE", stack.nats().operator().serverCredentials().toString());
    environment.put("UPLIFT_ENROLMENT_KEYS_FOLDER", stack.nats().operator().keyFolder().enrolmentFolder().toString());
    // Far longer than a busy machine may delay a heartbeat.
    environment.put("UPLIFT_PRESENCE_SILENT_AFTER", "PT60S");
    environment.put("UPLIFT_TIMEOUTS_RESEND_INTERVAL", "PT5S");
    environment.put("UPLIFT_TIMEOUTS_MAX_RESEND_INTERVAL", "PT5S");
    return environment;
  }

  private void publish(String version, long sequence) {
    String body = server.home().release(PACKAGE, version, sequence);
    tenant().admin().send("POST", path("releases"), body).expectStatus(201);
  }

  public Stack stack() {
    return stack;
  }

  public TestServer server() {
    return server;
  }

  public TestTenant tenant() {
    return new TestTenant(server, TENANT);
  }

  public String path(String below) {
    return tenant().path(below);
  }

  /// Creates a device with one host of the same name. It runs 1.0 and is online.
  public StubHost newHost() {
    String name = "device-" + devices.incrementAndGet();
    tenant().putDevice(name, name);
    StubHost host = StubHost.connect(connect(), name);
    await().atMost(TIMEOUT).until(() -> presence(name).equals("online"));
    return host;
  }

  private String presence(String host) {
    return tenant().viewer().get(path("hosts/" + host)).json().path("presence").asString("");
  }

  /// Connects like an agent.
  private Connection connect() {
    try {
      return Nats.connect(
          Options.builder()
              .server(stack.nats().url())
              .authHandler(Nats.credentials(stack.nats().operator().fleetCredentials(TENANT).toString()))
              .inboxPrefix("_INBOX." + TENANT + ".")
              .maxReconnects(-1)
              .build());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    server.close();
    stack.close();
  }
}
