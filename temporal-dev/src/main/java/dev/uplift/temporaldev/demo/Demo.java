package dev.uplift.temporaldev.demo;

import dev.uplift.cli.rest.RestClient;
import dev.uplift.cli.text.Screen;
import dev.uplift.temporaldev.scenario.PhaseReporter;
import dev.uplift.temporaldev.scenario.StackStarter;
import dev.uplift.temporaldev.scenario.TenantSetup;
import dev.uplift.temporaldev.stack.Stack;
import java.time.Duration;
import java.util.List;

/// Runs the parts of the demo, one after the other, on a new stack.
record Demo(Stack stack, Screen screen) {
  /// Returns whether every part ended as expected.
  ///
  /// @param windowAfter approximate time from the start of the rollout to its maintenance window
  boolean run(List<DemoPart> parts, Duration windowAfter) {
    PhaseReporter phases = new PhaseReporter(screen);
    StackStarter servers = new StackStarter(stack, phases);
    // Timeouts of seconds instead of minutes.
    stack
        .server()
        .environment("UPLIFT_TIMEOUTS_RESEND_INTERVAL", "PT5S")
        .environment("UPLIFT_TIMEOUTS_AWAIT_HEARTBEAT", "PT60S")
        .environment("UPLIFT_PRESENCE_SILENT_AFTER", "PT20S");
    servers.start();
    try (RestClient rest = servers.adminClient(DemoContext.TENANT)) {
      TenantSetup.createTenant(rest, stack, DemoContext.TENANT);
      DemoContext demo = new DemoContext(stack, screen, phases, rest);
      boolean asExpected = true;
      for (DemoPart part : parts) {
        asExpected &= runPart(part, demo, windowAfter);
      }
      screen.printLine("");
      screen.printLine("  REST documentation  " + servers.documentationUrl());
      screen.printLine("  tokens              " + stack.tokens().folder());
      screen.printLine("  Temporal Web UI     " + stack.temporal().uiUrl());
      screen.printLine("");
      return asExpected;
    }
  }

  private boolean runPart(DemoPart part, DemoContext demo, Duration windowAfter) {
    screen.printLine("");
    screen.printLine("  " + screen.terminal().bold(part + ": " + part.description()));
    screen.printLine("");
    return switch (part) {
      case DEVICES -> {
        try (DevicesPart devices = new DevicesPart(demo)) {
          yield devices.run();
        }
      }
      case AGENTS -> new AgentsPart(demo).run();
      case ROLLOUT -> new RolloutPart(demo, windowAfter).run();
    };
  }
}
