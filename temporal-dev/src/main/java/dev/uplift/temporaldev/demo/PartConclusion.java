package dev.uplift.temporaldev.demo;

import dev.uplift.cli.text.Screen;
import dev.uplift.cli.text.Table;
import dev.uplift.cli.text.Terminal;
import java.util.List;

/// How a part of the demo ends.
///
/// @param problems everything that is not as it should be, in words; empty if all is well
/// @param successText what is so then
record PartConclusion(Table table, List<String> problems, String successText) {
  void print(Screen screen) {
    Terminal terminal = screen.terminal();
    List<String> lines = table.lines();
    screen.printLine("");
    screen.printLine("  " + terminal.bold(lines.getFirst()));
    lines.stream().skip(1).forEach(line -> screen.printLine("  " + line));
    screen.printLine("");
    problems.forEach(fault -> screen.printLine("  " + terminal.red("✗ " + fault)));
    if (problems.isEmpty()) {
      screen.printLine("  " + terminal.green("✓ " + successText));
    }
  }
}
