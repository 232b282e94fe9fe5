package dev.uplift.temporaldev.up;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.uplift.cli.file.UserFile;
import dev.uplift.cli.text.Screen;
import dev.uplift.cli.text.Terminal;
import dev.uplift.temporaldev.scenario.PhaseReporter;
import dev.uplift.temporaldev.scenario.StackStarter;
import dev.uplift.temporaldev.stack.ServerCache;
import dev.uplift.temporaldev.stack.Stack;
import dev.uplift.temporaldev.stack.StackBuilder;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// Runs an empty stack to try things out.
@Command(
    name = "up",
    description = {
      "Start nats-server, Temporal and the Uplift server and keep them running.",
      "The next `up` in the same folder continues with its data. See docs/getting-started.md."
    })
public final class UpCommand implements Callable<Integer> {
  @Option(
      names = "--folder",
      paramLabel = "DIR",
      description = "Folder of all data; default: uplift in $XDG_DATA_HOME or in ~/.local/share.")
  private @Nullable Path folder;

  @Option(
      names = "--tenant",
      paramLabel = "NAME",
      defaultValue = "acme",
      description = "The tenant; default: ${DEFAULT-VALUE}.")
  private String tenant = "";

  @Option(
      names = "--cluster",
      description = {
        "As in production: three nats-servers, Temporal's server for production, PostgreSQL, three Uplift servers and",
        "a load balancer. Takes 1.2 GB of memory. A folder is either for this or for single servers."
      })
  private boolean cluster;

  @Override
  public Integer call() throws InterruptedException {
    Screen screen = new Screen(System.out, Terminal.detect());
    Path place = folder == null ? defaultFolder(System.getenv()) : folder;
    StackBuilder builder = Stack.in(place).tls().progress(screen::printLine);
    try (Stack stack = (cluster ? builder.cluster() : builder).open()) {
      StackStarter stackStarter = new StackStarter(stack, new PhaseReporter(screen));
      stackStarter.start();
      stackStarter.openTenant(tenant).close();
      printSummary(screen, stack, stackStarter.documentationUrl());
      if (ServerCache.isWanted() && !cluster) {
        Thread.ofPlatform().daemon().start(() -> ServerCache.makeIfMissing(screen::printLine));
      }
      // Until Ctrl-C, which closes the stack.
      Thread.currentThread().join();
      return 0;
    }
  }

  private void printSummary(Screen screen, Stack stack, String documentation) {
    Path file = writeEnvironmentFile(stack);
    // For hosts started by hand, as on the pages.
    var _ = stack.nats().operator().fleetCredentials(tenant);
    var _ = stack.secrets().trustFolder(tenant);
    screen.printLine("");
    screen.printLine("  all data            " + stack.folder());
    screen.printLine("  REST documentation  " + documentation);
    screen.printLine("  Temporal Web UI     " + stack.temporal().uiUrl());
    screen.printLine("  tokens              " + stack.tokens().folder() + " (admin, operator, viewer)");
    screen.printLine("  release key         " + stack.secrets().releaseKeyFile());
    screen.printLine("");
    screen.printLine("  In another shell:   . " + file);
    screen.printLine("  Next steps:         docs/getting-started.md");
    screen.printLine("  Ctrl-C ends it; the same command starts it again with its data.");
  }

  /// Writes the file that sets URL, token, tenant, folder and release key of the stack in a shell (`. FOLDER/env`).
  private Path writeEnvironmentFile(Stack stack) {
    Path file = stack.folder().resolve("env");
    String text =
        "# For a shell: . "
            + file
            + "\n"
            + line("UPLIFT_URL", stack.url())
            + line("UPLIFT_TOKEN_FILE", stack.tokens().folder().resolve("admin"))
            + line("UPLIFT_TENANT", tenant)
            + line("UPLIFT_STACK_FOLDER", stack.folder())
            + line("UPLIFT_RELEASE_KEY", stack.secrets().releaseKeyFile());
    return UserFile.write(file, text.getBytes(UTF_8));
  }

  private static String line(String name, Object value) {
    return "export " + name + "='" + value.toString().replace("'", "'\\''") + "'\n";
  }

  static Path defaultFolder(Map<String, String> environment) {
    String data = environment.getOrDefault("XDG_DATA_HOME", "");
    Path home = Path.of(environment.getOrDefault("HOME", "."));
    return (data.isEmpty() ? home.resolve(".local/share") : Path.of(data)).resolve("uplift");
  }
}
