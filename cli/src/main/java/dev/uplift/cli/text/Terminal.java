package dev.uplift.cli.text;

import java.io.IOException;
import java.io.InputStream;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.regex.Pattern;

/// The capabilities of the terminal that standard output goes to.
public record Terminal(boolean supportsRedraw, boolean supportsColor, int height, int width) {
  private static final int DEFAULT_HEIGHT = 24;
  private static final int DEFAULT_WIDTH = 80;

  /// The styles that [#paint] writes.
  static final Pattern STYLE = Pattern.compile("\u001b\\[(?:0|1|2|31|32|33)m");

  /// Output that is not a terminal: plain lines.
  public static final Terminal PLAIN = new Terminal(false, false, DEFAULT_HEIGHT, DEFAULT_WIDTH);

  /// Detects the terminal by the shell, because the JDK only reports whether input *and* output are terminals.
  public static Terminal detect() {
    boolean isTerminal = isOutputATerminal();
    return of(System.getenv(), isTerminal, isTerminal ? size() : "");
  }

  /// Describes a terminal.
  ///
  /// @param size output of `stty size`: rows, a blank, columns; empty if unknown
  static Terminal of(Map<String, String> environment, boolean isTerminal, String size) {
    boolean redraws = isTerminal && !"dumb".equals(environment.getOrDefault("TERM", "dumb"));
    boolean colours = redraws && environment.getOrDefault("NO_COLOR", "").isEmpty();
    int blank = size.indexOf(' ');
    int height = blank < 0 ? DEFAULT_HEIGHT : Integer.parseInt(size.substring(0, blank));
    int width = blank < 0 ? DEFAULT_WIDTH : Integer.parseInt(size.substring(blank + 1));
    return new Terminal(redraws, colours, Math.max(8, height), Math.max(40, width));
  }

  public String bold(String text) {
    return paint("1", text);
  }

  public String dim(String text) {
    return paint("2", text);
  }

  public String red(String text) {
    return paint("31", text);
  }

  public String green(String text) {
    return paint("32", text);
  }

  public String yellow(String text) {
    return paint("33", text);
  }

  private String paint(String code, String text) {
    return supportsColor ? "\u001b[" + code + "m" + text + "\u001b[0m" : text;
  }

  private static boolean isOutputATerminal() {
    try {
      Process test = new ProcessBuilder("test", "-t", "1").redirectOutput(Redirect.INHERIT).start();
      return test.waitFor() == 0;
    } catch (IOException _) {
      // Without the program `test`, plain lines are always right.
      return false;
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private static String size() {
    try {
      Process stty = new ProcessBuilder("sh", "-c", "stty size </dev/tty 2>/dev/null").start();
      try (InputStream output = stty.getInputStream()) {
        String size = new String(output.readAllBytes(), StandardCharsets.UTF_8).strip();
        return size.matches("[1-9][0-9]{0,3} [1-9][0-9]{0,3}") ? size : "";
      }
    } catch (IOException _) {
      // The size is unknown.
      return "";
    }
  }
}
