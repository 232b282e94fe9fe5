package dev.uplift.temporaldev.demo;

import dev.uplift.cli.rest.CliException;
import dev.uplift.cli.text.Screen;
import dev.uplift.cli.text.Terminal;
import dev.uplift.temporaldev.process.Reaper;
import dev.uplift.temporaldev.stack.Stack;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
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
      "  rollout  " + DemoPart.Descriptions.ROLLOUT
    })
public final class DemoCommand implements Callable<Integer> {
  @Parameters(
      arity = "0..1",
      paramLabel = "PART",
      description = "Run only this part: ${COMPLETION-CANDIDATES}.")
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

  @Option(
      names = "--exit",
      description = "Exit at the end: with 0 only if everything ended as expected.")
  private boolean exitWhenDone;

  @Option(
      names = "--folder",
      paramLabel = "DIR",
      description = "Folder of all data, which is kept; must be empty.")
  private @Nullable Path folder;

  @Override
  public Integer call() {
    if (windowAfterSeconds < 0) {
      throw CliException.usageError("--window-after: expected 0 or more");
    }
    Screen screen = new Screen(System.out, Terminal.detect());
    Path place =
        folder == null ? Reaper.ofThisJvm().temporaryFolder("uplift-demo-") : requireEmpty(folder);
    try (Stack stack = Stack.in(place).tls().progress(screen::printLine).open()) {
      Demo demo = new Demo(stack, screen);
      List<DemoPart> parts = part == null ? List.of(DemoPart.values()) : List.of(part);
      boolean asExpected = demo.run(parts, Duration.ofSeconds(windowAfterSeconds));
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

  /// Keeps the folder, because its logs explain failures.
  private void keepLogs(Path place, Screen screen) {
    Reaper.ofThisJvm().unregister(place);
    screen.printLine("  The logs are in " + place);
  }

  private static Path requireEmpty(Path folder) {
    if (!Files.isDirectory(folder)) {
      return folder;
    }
    try (Stream<Path> files = Files.list(folder)) {
      if (files.findAny().isEmpty()) {
        return folder;
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    throw CliException.usageError(folder + " is not empty: the demo starts from nothing");
  }

  private static void awaitCtrlC() {
    try {
      Thread.currentThread().join();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }
}
