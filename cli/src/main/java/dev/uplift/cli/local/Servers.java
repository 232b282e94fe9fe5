package dev.uplift.cli.local;

import dev.uplift.cli.rest.Rest;
import dev.uplift.temporaldev.Stack;
import java.net.URI;

/// Starts the servers of a stack, with a line for each, and says how to talk to them.
public final class Servers {
  private final Stack stack;
  private final Phases phases;

  public Servers(Stack stack, Phases phases) {
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
          return "Web UI " + stack.temporal().ui();
        });
    phases.run(
        "Uplift server",
        () -> {
          stack.server().start();
          return stack.server().url();
        });
  }

  /// With all rights.
  public Rest rest(String tenant) {
    return new Rest(URI.create(stack.server().url()), stack.tokens().admin(), tenant);
  }

  /// Where people read what the REST interface offers, and try it.
  public String documentation() {
    return stack.server().url() + "/swagger-ui";
  }
}
