package dev.uplift.e2e;

import dev.uplift.temporaldev.programs.UpliftHome;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/// The command `uplift`, as a process.
final class UpliftCommand {
  private UpliftCommand() {}

  /// Starts the command.
  ///
  /// @param said file for its output
  static Process start(Path said, List<String> words) throws IOException, InterruptedException {
    return start(said, Map.of(), words);
  }

  /// Starts the command.
  ///
  /// @param said file to which its output is appended
  /// @param environment more variables
  static Process start(Path said, Map<String, String> environment, List<String> words)
      throws IOException, InterruptedException {
    Path home = UpliftHome.find();
    List<String> command = new ArrayList<>(withDefaultCtrlC());
    command.addAll(
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "--enable-native-access=ALL-UNNAMED",
            "-cp",
            home.resolve("temporal-dev/target/program") + "/*",
            "dev.uplift.temporaldev.DevCommand"));
    command.addAll(words);
    var builder =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(Redirect.appendTo(said.toFile()));
    builder.environment().putAll(environment);
    builder.environment().put("UPLIFT_HOME", home.toString());
    return builder.start();
  }

  /// Restores the default handling of Ctrl-C, which children of a background build ignore.
  private static List<String> withDefaultCtrlC() throws IOException, InterruptedException {
    List<String> env = List.of("env", "--default-signal=INT");
    List<String> attempt = Stream.concat(env.stream(), Stream.of("true")).toList();
    // Not every `env` supports it.
    return new ProcessBuilder(attempt).start().waitFor() == 0 ? env : List.of();
  }
}
