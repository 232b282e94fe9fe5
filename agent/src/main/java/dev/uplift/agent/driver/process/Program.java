package dev.uplift.agent.driver.process;

import java.nio.file.Path;
import java.util.List;
import java.util.SortedMap;

/// A program to run.
///
/// @param folder to run in
/// @param environment added to the agent's own
/// @param input all that it can read from its standard input
public record Program(List<String> command, Path folder, SortedMap<String, String> environment, String input) {

  /// With an empty standard input.
  public Program(List<String> command, Path folder, SortedMap<String, String> environment) {
    this(command, folder, environment, "");
  }

  /// A line for the shell.
  public static Program shell(String line, Path folder, SortedMap<String, String> environment) {
    return new Program(List.of("sh", "-c", line), folder, environment);
  }
}
