package dev.uplift.e2e;

import dev.uplift.temporaldev.programs.UpliftHome;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/// The command `uplift`, as a process.
final class UpliftCommand {
  private UpliftCommand() {}

  /// Starts it.
  ///
  /// @param said file that gets all that it says
  static Process start(Path said, List<String> words) throws IOException, InterruptedException {
    Path home = UpliftHome.find();
    List<String> command = new ArrayList<>(hearingCtrlC());
    command.addAll(
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "--enable-native-access=ALL-UNNAMED",
            "-cp",
            home.resolve("temporal-dev/target/program") + "/*",
            "dev.uplift.temporaldev.DevCommand"));
    command.addAll(words);
    var builder =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(said.toFile());
    builder.environment().put("UPLIFT_HOME", home.toString());
    return builder.start();
  }

  /// A build in the background ignores Ctrl-C, and so does all that it starts, unless told so.
  private static List<String> hearingCtrlC() throws IOException, InterruptedException {
    List<String> env = List.of("env", "--default-signal=INT");
    List<String> attempt = Stream.concat(env.stream(), Stream.of("true")).toList();
    // Not every `env` can.
    return new ProcessBuilder(attempt).start().waitFor() == 0 ? env : List.of();
  }
}
