package dev.uplift.cli.text;

import dev.uplift.protocol.PrintableText;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;

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
    List<String> lines = new ArrayList<>(block);
    lines.addFirst(printable(line));
    print(lines);
  }

  /// Replaces the block. Its lines must fit the width of the terminal; lines beyond its height are omitted.
  public synchronized void drawBlock(List<String> lines) {
    List<String> fitting = fitToHeight(lines.stream().map(this::printable).toList());
    if (!terminal.supportsRedraw() || fitting.equals(block)) {
      return;
    }
    print(fitting);
    block = fitting;
  }

  /// Prints lines in place of the block. Each line is erased on its own: erasing all below the cursor counts in some
  /// terminals as clearing the screen, and fills their history with every frame.
  private void print(List<String> lines) {
    var text = new StringBuilder();
    if (block.isEmpty()) {
      lines.forEach(line -> text.append(line).append('\n'));
    } else {
      text.append("\u001b[").append(block.size()).append("A\r");
      lines.forEach(line -> text.append("\u001b[K").append(line).append('\n'));
    }
    if (lines.size() < block.size()) {
      text.append("\u001b[J");
    }
    out.print(text);
    out.flush();
  }

  /// Removes everything that a terminal obeys, except the styles of [Terminal].
  private String printable(String line) {
    if (!terminal.supportsColor()) {
      return PrintableText.line(line);
    }
    var printable = new StringBuilder();
    Matcher style = Terminal.STYLE.matcher(line);
    int from = 0;
    while (style.find()) {
      printable.append(PrintableText.line(line.substring(from, style.start()))).append(style.group());
      from = style.end();
    }
    return printable.append(PrintableText.line(line.substring(from))).toString();
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
}
