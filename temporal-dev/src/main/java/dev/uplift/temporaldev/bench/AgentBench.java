package dev.uplift.temporaldev.bench;

import dev.uplift.cli.rest.CliException;
import dev.uplift.temporaldev.scenario.PhaseReporter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Has the distribution of the agent made and measured by the scripts that stand beside its
/// sources: what is measured is what a device gets.
final class AgentBench {
  private static final String SCRIPTS = "agent/src/main/dist";
  private static final Pattern FIGURE = Pattern.compile("(\\S.*?)\\s{2,}([0-9.]+)");

  private final Path home;
  private final Path natsServer;
  private final Path workFolder;
  private final PhaseReporter phases;

  AgentBench(Path home, Path natsServer, Path workFolder, PhaseReporter phases) {
    this.home = home;
    this.natsServer = natsServer;
    this.workFolder = workFolder;
    this.phases = phases;
  }

  AgentFigures run() {
    Path made = workFolder.resolve("distribution");
    phases.run("make", () -> script("make", made).getLast());
    Map<String, Double> found = new HashMap<>();
    phases.run(
        "measure",
        () -> {
          found.putAll(figures(script("measure", made)));
          return "";
        });
    return AgentFigures.of(found);
  }

  /// What `measure` says, by name.
  static Map<String, Double> figures(List<String> lines) {
    Map<String, Double> figures = new HashMap<>();
    for (String line : lines) {
      Matcher figure = FIGURE.matcher(line);
      if (figure.matches()) {
        figures.put(figure.group(1), Double.valueOf(figure.group(2)));
      }
    }
    return figures;
  }

  private List<String> script(String name, Path made) {
    Path log = workFolder.resolve(name + ".log");
    try {
      Files.createDirectories(workFolder);
      var script =
          new ProcessBuilder(home.resolve(SCRIPTS).resolve(name).toString(), made.toString())
              .redirectErrorStream(true)
              .redirectOutput(log.toFile());
      script.environment().put("NATS_SERVER", natsServer.toString());
      int ended = script.start().waitFor();
      List<String> said = Files.readAllLines(log);
      if (ended != 0) {
        throw new CliException(
            CliException.UNSUCCESSFUL_OUTCOME,
            name + " ended with " + ended + ": " + String.join("\n", said));
      }
      return said;
    } catch (IOException e) {
      throw new UncheckedIOException(name + " cannot be run", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CliException(CliException.UNSUCCESSFUL_OUTCOME, name + " was interrupted");
    }
  }
}
