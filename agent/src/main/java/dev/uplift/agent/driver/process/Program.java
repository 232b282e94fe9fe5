package dev.uplift.agent.driver.process;

import java.nio.file.Path;
import java.util.List;
import java.util.SortedMap;

/// A program to run.
///
/// @param folder to run in
/// @param environment added to the agent's own
public record Program(List<String> command, Path folder, SortedMap<String, String> environment) {

  /// A line for the shell.
  public static Program shell(String line, Path folder, SortedMap<String, String> environment) {
    return new Program(List.of("sh", "-c", line), folder, environment);
  }
}
