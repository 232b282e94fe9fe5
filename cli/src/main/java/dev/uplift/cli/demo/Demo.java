package dev.uplift.cli.demo;

import dev.uplift.cli.local.Phases;
import dev.uplift.cli.local.Servers;
import dev.uplift.cli.rest.Rest;
import dev.uplift.cli.text.Screen;
import dev.uplift.temporaldev.Stack;
import java.time.Duration;
import java.util.List;

/// The parts of the demo, one after the other, on a stack that nothing else has been done on.
final class Demo {
  static final String TENANT = "acme";

  private final Stack stack;
  private final Screen screen;
  private final Phases phases;
  private final Servers servers;

  Demo(Stack stack, Screen screen) {
    this.stack = stack;
    this.screen = screen;
    this.phases = new Phases(screen);
    this.servers = new Servers(stack, phases);
  }

  /// Returns whether all of it ended as it should.
  ///
  /// @param windowAfter from the start of a rollout to the window that it waits for, about
  boolean run(List<DemoPart> parts, Duration windowAfter) {
    startServers();
    try (Rest rest = servers.rest(TENANT)) {
      rest.putTenant();
      boolean asExpected = true;
      for (DemoPart part : parts) {
        asExpected &= play(part, rest, windowAfter);
      }
      screen.say("");
      screen.say("  REST documentation  " + servers.documentation());
      screen.say("  tokens              " + stack.tokens().folder());
      screen.say("  Temporal Web UI     " + stack.temporal().ui());
      screen.say("");
      return asExpected;
    }
  }

  private boolean play(DemoPart part, Rest rest, Duration windowAfter) {
    screen.say("");
    screen.say("  " + screen.terminal().bold(part + ": " + part.shows()));
    screen.say("");
    return switch (part) {
      case DEVICES -> {
        try (DevicesPart devices = new DevicesPart(stack, screen, phases, rest)) {
          yield devices.play();
        }
      }
      case AGENTS -> new AgentsPart(stack, screen, phases, rest).play();
      case ROLLOUT -> new RolloutPart(stack, screen, phases, rest, windowAfter).play();
    };
  }

  /// What takes minutes in the field takes seconds here.
  private void startServers() {
    stack
        .server()
        .with("UPLIFT_PACE_RESEND", "PT5S")
        .with("UPLIFT_PACE_AWAIT_HEARTBEAT", "PT60S")
        .with("UPLIFT_SILENT_AFTER", "PT20S");
    servers.start();
  }
}
