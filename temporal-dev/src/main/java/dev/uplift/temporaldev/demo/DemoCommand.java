package dev.uplift.temporaldev.demo;

import dev.uplift.cli.rest.CliException;
import dev.uplift.cli.rest.RestClient;
import dev.uplift.cli.text.Screen;
import dev.uplift.cli.text.Terminal;
import dev.uplift.temporaldev.process.Reaper;
import dev.uplift.temporaldev.scenario.PhaseReporter;
import dev.uplift.temporaldev.scenario.StackStarter;
import dev.uplift.temporaldev.stack.Stack;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import org.apache.commons.io.file.PathUtils;
import org.apache.commons.io.function.Uncheck;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// Upgrades devices on real servers with real agents and a real service.
@Command(
    name = "demo",
    description = {
      "Upgrade devices on a stack of their own and show the progress.",
      "Starts nats-server, Temporal, the Uplift server and the hosts on this machine, as processes;"
          + " Ctrl-C ends all of them. The whole demo takes less than five minutes."
    },
    footer = {
      "",
      "Parts, in their order:",
      "  devices  " + DemoPart.Descriptions.DEVICES,
      "  agents   " + DemoPart.Descriptions.AGENTS,
      "  rollout  " + DemoPart.Descriptions.ROLLOUT,
      "  policies " + DemoPart.Descriptions.POLICIES
    })
public final class DemoCommand implements Callable<Integer> {
  @Parameters(arity = "0..1", paramLabel = "PART", description = "Run only this part: ${COMPLETION-CANDIDATES}.")
  private @Nullable DemoPart part;

  @Option(
      names = "--window-after",
      paramLabel = "SECONDS",
      defaultValue = "120",
      description = {
        "Time from the start of the rollout to its maintenance window, which opens at the nearest"
            + " full minute; default: ${DEFAULT-VALUE}."
      })
  private int windowAfterSeconds;

  @Option(names = "--exit", description = "Exit at the end: with 0 only if everything ended as expected.")
  private boolean exitWhenDone;

  @Option(names = "--folder", paramLabel = "DIR", description = "Folder of all data, which is kept; must be empty.")
  private @Nullable Path folder;

  @Override
  public Integer call() {
    if (windowAfterSeconds < 0) {
      throw CliException.usageError("--window-after: expected 0 or more");
    }
    Screen screen = new Screen(System.out, Terminal.detect());
    Path place = folder == null ? Reaper.ofThisJvm().temporaryFolder("uplift-demo-") : requireEmpty(folder);
    try (Stack stack = Stack.in(place).tls().progress(screen::printLine).open()) {
      boolean asExpected = run(stack, screen);
      if (!exitWhenDone) {
        screen.printLine("  Look around; Ctrl-C ends everything.");
        awaitCtrlC();
      }
      if (!asExpected) {
        keepLogs(place, screen);
      }
      return asExpected ? 0 : CliException.FAILED;
    }
  }

  /// Runs the parts, one after the other. Returns whether every part ended as expected.
  private boolean run(Stack stack, Screen screen) {
    PhaseReporter phases = new PhaseReporter(screen);
    StackStarter servers = new StackStarter(stack, phases);
    // Timeouts of seconds instead of minutes.
    stack
        .server()
        .environment("UPLIFT_TIMEOUTS_RESEND_INTERVAL", "PT5S")
        .environment("UPLIFT_TIMEOUTS_AWAIT_HEARTBEAT", "PT60S")
        .environment("UPLIFT_PRESENCE_SILENT_AFTER", "PT20S");
    servers.start();
    try (RestClient rest = servers.openTenant(DemoContext.TENANT)) {
      DemoContext demo = new DemoContext(stack, screen, phases, rest);
      boolean asExpected = true;
      for (DemoPart each : part == null ? List.of(DemoPart.values()) : List.of(part)) {
        asExpected &= runPart(each, demo);
      }
      screen.printLine("");
      screen.printLine("  REST documentation  " + servers.documentationUrl());
      screen.printLine("  tokens              " + stack.tokens().folder());
      screen.printLine("  Temporal Web UI     " + stack.temporal().uiUrl());
      screen.printLine("");
      return asExpected;
    }
  }

  private boolean runPart(DemoPart each, DemoContext demo) {
    Screen screen = demo.screen();
    screen.printLine("");
    screen.printLine("  " + screen.terminal().bold(each + ": " + each.description()));
    screen.printLine("");
    return switch (each) {
      case DEVICES -> {
        try (DevicesPart devices = new DevicesPart(demo)) {
          yield devices.run();
        }
      }
      case AGENTS -> new AgentsPart(demo).run();
      case ROLLOUT -> new RolloutPart(demo, Duration.ofSeconds(windowAfterSeconds)).run();
      case POLICIES -> new PoliciesPart(demo).run();
    };
  }

  /// Keeps the folder, because its logs explain failures.
  private void keepLogs(Path place, Screen screen) {
    Reaper.ofThisJvm().unregister(place);
    screen.printLine("  The logs are in " + place);
  }

  private static Path requireEmpty(Path folder) {
    if (Files.isDirectory(folder) && !Uncheck.get(() -> PathUtils.isEmptyDirectory(folder))) {
      throw CliException.usageError(folder + " is not empty: the demo starts from nothing");
    }
    return folder;
  }

  private static void awaitCtrlC() {
    try {
      Thread.currentThread().join();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }
}
