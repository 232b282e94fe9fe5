package dev.uplift.temporaldev.scenario;

import dev.uplift.cli.keys.RootFolder;
import dev.uplift.cli.rest.RestClient;
import dev.uplift.temporaldev.stack.LoadBalancer;
import dev.uplift.temporaldev.stack.LocalPostgresServer;
import dev.uplift.temporaldev.stack.NatsServer;
import dev.uplift.temporaldev.stack.Stack;
import dev.uplift.temporaldev.stack.StackProcess;
import dev.uplift.temporaldev.stack.TemporalServer;
import dev.uplift.temporaldev.stack.UpliftServer;
import java.net.URI;

/// Starts the servers of a stack, prints a line for each, and creates clients.
public final class StackStarter {
  private final Stack stack;
  private final PhaseReporter phases;

  public StackStarter(Stack stack, PhaseReporter phases) {
    this.stack = stack;
    this.phases = phases;
  }

  /// Blocks until all of them are ready. They start side by side: the server needs the others only after seconds, and
  /// waits for them.
  public void start() {
    stack.launch();
    for (StackProcess part : stack.parts()) {
      phases.run(
          titleOf(part),
          () -> {
            part.awaitReady();
            return addressOf(part);
          });
    }
  }

  private static String titleOf(StackProcess part) {
    return switch (part) {
      case NatsServer _ -> part.name().replaceFirst("nats", "nats-server");
      case TemporalServer _ -> "Temporal";
      case UpliftServer _ -> part.name().replaceFirst("server", "Uplift server");
      default -> part.name();
    };
  }

  private String addressOf(StackProcess part) {
    return switch (part) {
      case NatsServer nats -> nats.url().split(",", 2)[0];
      case LocalPostgresServer postgres -> postgres.url();
      case TemporalServer temporal -> stack.isCluster() ? temporal.target() : "Web UI " + temporal.uiUrl();
      case UpliftServer server -> server.url();
      case LoadBalancer _ -> stack.url();
      default -> "Web UI " + stack.temporal().uiUrl();
    };
  }

  /// Creates the tenant and publishes its roots, so that hosts trust the keys of the stack. Returns a client with all
  /// permissions. Repeatable.
  public RestClient openTenant(String tenant) {
    RestClient rest = new RestClient(URI.create(stack.url()), stack.tokens().admin(), tenant);
    rest.putTenant();
    RootFolder roots = new RootFolder(stack.secrets().rootFolder(tenant));
    for (long version : roots.versions()) {
      var _ = rest.send("PUT", "trust/" + version, roots.requestBody(version));
    }
    return rest;
  }

  /// Returns the URL of the REST documentation.
  public String documentationUrl() {
    return stack.url() + "/swagger-ui";
  }
}
