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
final class Demo {
  static final String TENANT = "acme";

  private final Stack stack;
  private final Screen screen;
  private final PhaseReporter phases;
  private final StackStarter servers;

  Demo(Stack stack, Screen screen) {
    this.stack = stack;
    this.screen = screen;
    this.phases = new PhaseReporter(screen);
    this.servers = new StackStarter(stack, phases);
  }

  /// Returns whether every part ended as expected.
  ///
  /// @param windowAfter approximate time from the start of the rollout to its maintenance window
  boolean run(List<DemoPart> parts, Duration windowAfter) {
    startServers();
    try (RestClient restClient = servers.adminClient(TENANT)) {
      TenantSetup.createTenant(restClient, stack, TENANT);
      boolean asExpected = true;
      for (DemoPart part : parts) {
        asExpected &= runPart(part, restClient, windowAfter);
      }
      screen.printLine("");
      screen.printLine("  REST documentation  " + servers.documentationUrl());
      screen.printLine("  tokens              " + stack.tokens().folder());
      screen.printLine("  Temporal Web UI     " + stack.temporal().uiUrl());
      screen.printLine("");
      return asExpected;
    }
  }

  private boolean runPart(DemoPart part, RestClient restClient, Duration windowAfter) {
    screen.printLine("");
    screen.printLine("  " + screen.terminal().bold(part + ": " + part.description()));
    screen.printLine("");
    return switch (part) {
      case DEVICES -> {
        try (DevicesPart devices = new DevicesPart(stack, screen, phases, restClient)) {
          yield devices.run();
        }
      }
      case AGENTS -> new AgentsPart(stack, screen, phases, restClient).run();
      case ROLLOUT -> new RolloutPart(stack, screen, phases, restClient, windowAfter).run();
    };
  }

  /// Starts the servers with timeouts of seconds instead of minutes.
  private void startServers() {
    stack
        .server()
        .environment("UPLIFT_TIMEOUTS_RESEND_INTERVAL", "PT5S")
        .environment("UPLIFT_TIMEOUTS_AWAIT_HEARTBEAT", "PT60S")
        .environment("UPLIFT_PRESENCE_SILENT_AFTER", "PT20S");
    servers.start();
  }
}
