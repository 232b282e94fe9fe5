package dev.uplift.services;

import dev.uplift.services.messaging.NatsSettings;
import dev.uplift.temporaldev.stack.Stack;
import dev.uplift.testservers.TestServers;
import io.nats.client.Connection;
import io.nats.client.Nats;
import io.nats.client.Options;
import java.io.IOException;
import java.nio.file.Path;

/// Real servers for tests: one shared set, and sets of their own for tests that stop servers.
public final class TestStacks {
  public static final String TENANT = "acme";
  public static final String OTHER_TENANT = "umbrella";

  private static final class Shared {
    static final Stack STACK = open();

    static {
      STACK.nats().start();
      STACK.temporal().start();
    }
  }

  private TestStacks() {}

  /// Returns running NATS and Temporal, shared by all tests.
  public static Stack shared() {
    return Shared.STACK;
  }

  /// Returns a stack that is not started. To be closed.
  public static Stack open() {
    return TestServers.stack().temporalInMemory().open();
  }

  public static NatsSettings natsSettings(Stack stack) {
    return natsSettings(stack, stack.nats().operator().serverCredentials());
  }

  public static NatsSettings natsSettings(Stack stack, Path credentials) {
    return NatsSettings.of(stack.nats().url(), credentials);
  }

  /// Connects like an agent of the tenant.
  public static Connection connectAsDevice(Stack stack, String tenant) throws IOException, InterruptedException {
    return Nats.connect(
        Options.builder()
            .server(stack.nats().url())
            .authHandler(Nats.credentials(stack.nats().operator().fleetCredentials(tenant).toString()))
            .inboxPrefix("_INBOX." + tenant + ".")
            .maxReconnects(-1)
            .build());
  }
}
