package dev.uplift.cli.demo;

import dev.uplift.cli.text.Screen;
import dev.uplift.cli.text.Table;
import dev.uplift.cli.text.Terminal;
import java.util.List;

/// How a part of the demo ends.
///
/// @param faults everything that is not as it should be, in words; empty if all is well
/// @param whenWell what is so then
record Conclusion(Table table, List<String> faults, String whenWell) {
  void show(Screen screen) {
    Terminal terminal = screen.terminal();
    List<String> lines = table.lines();
    screen.say("");
    screen.say("  " + terminal.bold(lines.getFirst()));
    lines.stream().skip(1).forEach(line -> screen.say("  " + line));
    screen.say("");
    faults.forEach(fault -> screen.say("  " + terminal.red("✗ " + fault)));
    if (faults.isEmpty()) {
      screen.say("  " + terminal.green("✓ " + whenWell));
    }
  }
}
