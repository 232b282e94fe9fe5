package dev.uplift.temporaldev.scenario;

import dev.uplift.cli.keys.RootFolder;
import dev.uplift.cli.rest.RestClient;
import dev.uplift.temporaldev.stack.Stack;
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
    stack.nats().launch();
    stack.temporal().launch();
    stack.server().launch();
    phases.run(
        "nats-server",
        () -> {
          stack.nats().awaitReady();
          return stack.nats().url();
        });
    phases.run(
        "Temporal",
        () -> {
          stack.temporal().awaitReady();
          return "Web UI " + stack.temporal().uiUrl();
        });
    phases.run(
        "Uplift server",
        () -> {
          stack.server().awaitReady();
          return stack.server().url();
        });
  }

  /// Creates the tenant and publishes its roots, so that hosts trust the keys of the stack. Returns a client with all
  /// permissions. Repeatable.
  public RestClient openTenant(String tenant) {
    RestClient rest = new RestClient(URI.create(stack.server().url()), stack.tokens().admin(), tenant);
    rest.putTenant();
    RootFolder roots = new RootFolder(stack.secrets().rootFolder(tenant));
    for (long version : roots.versions()) {
      var _ = rest.send("PUT", "trust/" + version, roots.requestBody(version));
    }
    return rest;
  }

  /// Returns the URL of the REST documentation.
  public String documentationUrl() {
    return stack.server().url() + "/swagger-ui";
  }
}
