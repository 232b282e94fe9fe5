package dev.uplift.cli.demo;

import dev.uplift.cli.rest.CommandFailed;
import dev.uplift.cli.text.Screen;
import dev.uplift.cli.text.Terminal;
import dev.uplift.temporaldev.Reaper;
import dev.uplift.temporaldev.Stack;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// Real servers, real agents, a real service: four devices are upgraded while one looks on.
@Command(
    name = "demo",
    description = {
      "Upgrades four devices on a stack of their own, and shows it.",
      "Starts nats-server, Temporal, the Uplift server and six agents on this machine, each a"
          + " process; Ctrl-C ends all of them."
    })
public final class DemoCommand implements Callable<Integer> {
  @Option(
      names = "--exit",
      description = "Ends by itself: with 0 only if every device ended as it should.")
  private boolean exits;

  @Option(
      names = "--folder",
      paramLabel = "DIR",
      description = "Where everything is kept, and left for you to look at; must be empty.")
  private @Nullable Path folder;

  @Override
  public Integer call() {
    Screen screen = new Screen(System.out, Terminal.here());
    Path place =
        folder == null ? Reaper.ofThisJvm().temporaryFolder("uplift-demo-") : empty(folder);
    try (Stack stack = Stack.in(place).tenant(Demo.TENANT).progress(screen::say).open();
        Demo demo = new Demo(stack, screen)) {
      boolean asExpected = demo.run();
      if (!exits) {
        screen.say("  Look around; Ctrl-C ends everything.");
        awaitCtrlC();
      }
      if (!asExpected) {
        keep(place, screen);
      }
      return asExpected ? 0 : CommandFailed.REFUSED;
    }
  }

  /// What went wrong is in the logs.
  private void keep(Path place, Screen screen) {
    Reaper.ofThisJvm().forget(place);
    screen.say("  The logs are in " + place);
  }

  private static Path empty(Path folder) {
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
    throw CommandFailed.usage(folder + " is not empty: the demo starts from nothing");
  }

  private static void awaitCtrlC() {
    try {
      Thread.currentThread().join();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }
}
