package dev.uplift.api.testing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.api.Server;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/// The server as a process of its own that ends by itself.
public final class ServerProgram {
  private ServerProgram() {}

  /// How it ended.
  ///
  /// @param output its last line if the exit code is 0, else all of it
  public record Result(int exitCode, String output) {}

  /// Runs the server with one argument and waits for its end.
  public static Result run(Path folder, String argument, Map<String, String> environment) throws Exception {
    Path output = Files.createTempFile(folder, "output", "");
    ProcessBuilder program =
        new ProcessBuilder(
                List.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "--enable-native-access=ALL-UNNAMED",
                    "--sun-misc-unsafe-memory-access=allow",
                    "-cp",
                    System.getProperty("java.class.path"),
                    Server.class.getName(),
                    argument))
            .redirectErrorStream(true)
            .redirectOutput(output.toFile());
    program.environment().putAll(environment);
    Process process = program.start();
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    String said = Files.readString(output);
    // Its log is for operators; the result is the last line.
    return new Result(
        process.exitValue(),
        process.exitValue() == 0 ? said.lines().reduce((_, last) -> last).orElse("") + "\n" : said);
  }
}
