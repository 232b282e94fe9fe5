package dev.uplift.cli.local;

import dev.uplift.cli.rest.Rest;
import dev.uplift.cli.text.Screen;
import dev.uplift.cli.text.Terminal;
import dev.uplift.temporaldev.Stack;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// An empty stack to try things on, for as long as one likes.
@Command(
    name = "up",
    description = {
      "Starts nats-server, Temporal and the Uplift server and keeps them running.",
      "The next `up` in the same folder goes on where this one was. docs/getting-started.md says"
          + " what to do with it."
    })
public final class UpCommand implements Callable<Integer> {
  @Option(
      names = "--folder",
      paramLabel = "DIR",
      description = "Holds everything; default: uplift in $XDG_DATA_HOME or in ~/.local/share.")
  private @Nullable Path folder;

  @Option(
      names = "--tenant",
      paramLabel = "NAME",
      defaultValue = "acme",
      description = "Whose devices these are; default: ${DEFAULT-VALUE}.")
  private String tenant = "";

  @Override
  public Integer call() throws InterruptedException {
    Screen screen = new Screen(System.out, Terminal.here());
    Path place = folder == null ? usual(System.getenv()) : folder;
    try (Stack stack = Stack.in(place).secured().progress(screen::say).open()) {
      Servers servers = new Servers(stack, new Phases(screen));
      servers.start();
      try (Rest rest = servers.rest(tenant)) {
        LocalTrust.putTenant(rest, stack, tenant);
      }
      say(screen, stack, servers.documentation());
      // Until Ctrl-C, which closes the stack.
      Thread.currentThread().join();
      return 0;
    }
  }

  private void say(Screen screen, Stack stack, String documentation) {
    Path file = Environment.write(stack, tenant);
    // To play hosts by hand with, as the pages do.
    var _ = stack.nats().realm().fleet(tenant);
    var _ = stack.secrets().trust(tenant);
    screen.say("");
    screen.say("  everything in       " + stack.folder());
    screen.say("  REST documentation  " + documentation);
    screen.say("  Temporal Web UI     " + stack.temporal().ui());
    screen.say("  tokens              " + stack.tokens().folder() + " (admin, operator, viewer)");
    screen.say("  release key         " + stack.secrets().releaseKey());
    screen.say("");
    screen.say("  In another shell:   . " + file);
    screen.say("  What to do there:   docs/getting-started.md");
    screen.say("  Ctrl-C ends it; `uplift up` goes on where it was.");
  }

  static Path usual(Map<String, String> environment) {
    String data = environment.getOrDefault("XDG_DATA_HOME", "");
    Path home = Path.of(environment.getOrDefault("HOME", "."));
    return (data.isEmpty() ? home.resolve(".local/share") : Path.of(data)).resolve("uplift");
  }
}
