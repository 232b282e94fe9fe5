package dev.uplift.cli.text;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;

/// Lines that stay, above a block of lines that is drawn again in place. Where nothing can be
/// redrawn the block is never shown, so what matters goes into lines that stay. Safe for use by
/// several threads.
public final class Screen {
  private final PrintStream out;
  private final Terminal terminal;
  private List<String> block = List.of();

  public Screen(PrintStream out, Terminal terminal) {
    this.out = out;
    this.terminal = terminal;
  }

  public Terminal terminal() {
    return terminal;
  }

  /// A line that stays, above the block.
  public synchronized void printLine(String line) {
    String erased = eraseSequence();
    out.print(erased + line + "\n" + blockText());
    out.flush();
  }

  /// The block from now on. Its lines must fit the width of the terminal; those that do not fit its
  /// height are left out.
  public synchronized void drawBlock(List<String> lines) {
    List<String> fitting = fitToHeight(lines);
    if (!terminal.supportsRedraw() || fitting.equals(block)) {
      return;
    }
    String erased = eraseSequence();
    block = fitting;
    out.print(erased + blockText());
    out.flush();
  }

  private List<String> fitToHeight(List<String> lines) {
    // The line below the block is the cursor's.
    int most = terminal.height() - 1;
    if (lines.size() <= most) {
      return List.copyOf(lines);
    }
    List<String> fitting = new ArrayList<>(lines.subList(0, most - 1));
    fitting.add("  … " + (lines.size() - most + 1) + " more");
    return fitting;
  }

  /// The block as it is now stays where it is; the next one begins below it.
  public synchronized void keepBlock() {
    block = List.of();
  }

  private String eraseSequence() {
    return block.isEmpty() ? "" : "\u001b[" + block.size() + "A\r\u001b[J";
  }

  private String blockText() {
    return block.isEmpty() ? "" : String.join("\n", block) + "\n";
  }
}
