package dev.uplift.temporaldev.scenario;

import dev.uplift.cli.rest.RestClient;
import dev.uplift.temporaldev.stack.Stack;
import java.net.URI;

/// Starts the servers of a stack, with a line for each, and says how to talk to them.
public final class StackStarter {
  private final Stack stack;
  private final PhaseReporter phases;

  public StackStarter(Stack stack, PhaseReporter phases) {
    this.stack = stack;
    this.phases = phases;
  }

  /// Returns when all of them serve.
  public void start() {
    stack.nats().launch();
    stack.temporal().launch();
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
          stack.server().start();
          return stack.server().url();
        });
  }

  /// With all rights.
  public RestClient adminClient(String tenant) {
    return new RestClient(URI.create(stack.server().url()), stack.tokens().admin(), tenant);
  }

  /// Where people read what the REST interface offers, and try it.
  public String documentationUrl() {
    return stack.server().url() + "/swagger-ui";
  }
}
