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

/// Builds and measures the distribution of the agent with the scripts of its sources, so that the measured agent is
/// that of a device.
record AgentBench(Path home, Path natsServer, Path workFolder, PhaseReporter phases) {
  private static final String SCRIPTS = "agent/src/main/dist";
  private static final Pattern FIGURE = Pattern.compile("(\\S.*?)\\s{2,}([0-9.]+)");

  AgentFigures run() {
    Path distribution = workFolder.resolve("distribution");
    phases.run("make", () -> script("make", distribution).getLast());
    Map<String, Double> measured = new HashMap<>();
    phases.run(
        "measure",
        () -> {
          measured.putAll(figures(script("measure", distribution)));
          return "";
        });
    return AgentFigures.of(measured);
  }

  /// Parses the figures in the output of `measure` by name.
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

  private List<String> script(String name, Path distribution) {
    Path log = workFolder.resolve(name + ".log");
    try {
      Files.createDirectories(workFolder);
      var script =
          new ProcessBuilder(home.resolve(SCRIPTS).resolve(name).toString(), distribution.toString())
              .redirectErrorStream(true)
              .redirectOutput(log.toFile());
      script.environment().put("NATS_SERVER", natsServer.toString());
      int exitCode = script.start().waitFor();
      List<String> output = Files.readAllLines(log);
      if (exitCode != 0) {
        throw new CliException(
            CliException.UNSUCCESSFUL_OUTCOME, name + " ended with " + exitCode + ": " + String.join("\n", output));
      }
      return output;
    } catch (IOException e) {
      throw new UncheckedIOException(name + " cannot be run", e);
    } catch (InterruptedException e) {
      throw CliException.interrupted(e);
    }
  }
}
