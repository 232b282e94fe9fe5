package dev.uplift.temporaldev.demo;

import dev.uplift.cli.text.Screen;
import dev.uplift.cli.text.Table;
import dev.uplift.cli.text.Terminal;
import java.util.List;

/// The end of a part of the demo.
///
/// @param problems differences from the expected results, as sentences
/// @param successText printed without problems
record PartConclusion(Table table, List<String> problems, String successText) {
  void print(Screen screen) {
    Terminal terminal = screen.terminal();
    List<String> lines = table.lines();
    screen.printLine("");
    screen.printLine("  " + terminal.bold(lines.getFirst()));
    lines.stream().skip(1).forEach(line -> screen.printLine("  " + line));
    screen.printLine("");
    problems.forEach(problem -> screen.printLine("  " + terminal.red("✗ " + problem)));
    if (problems.isEmpty()) {
      screen.printLine("  " + terminal.green("✓ " + successText));
    }
  }
}
