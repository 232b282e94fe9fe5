package dev.uplift.cli.text;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;

/// Permanent lines above a block of lines that is redrawn in place. Without a terminal the block is never shown, so
/// everything that matters belongs into permanent lines. Thread-safe.
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

  /// Prints a permanent line above the block.
  public synchronized void printLine(String line) {
    String erased = eraseSequence();
    out.print(erased + line + "\n" + blockText());
    out.flush();
  }

  /// Replaces the block. Its lines must fit the width of the terminal; lines beyond its height are omitted.
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
    // The cursor is on the line below the block.
    int maxLines = terminal.height() - 1;
    if (lines.size() <= maxLines) {
      return List.copyOf(lines);
    }
    List<String> fitting = new ArrayList<>(lines.subList(0, maxLines - 1));
    fitting.add("  … " + (lines.size() - maxLines + 1) + " more");
    return fitting;
  }

  /// Makes the lines of the block permanent; the next block begins below them.
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
