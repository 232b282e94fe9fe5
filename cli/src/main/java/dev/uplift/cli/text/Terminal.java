package dev.uplift.cli.text;

import java.io.IOException;
import java.io.InputStream;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/// What can be shown where the output goes: colours, redrawing in place, and how much of it.
public record Terminal(boolean supportsRedraw, boolean supportsColor, int height, int width) {
  private static final int DEFAULT_HEIGHT = 24;
  private static final int DEFAULT_WIDTH = 80;

  /// Where the output is no terminal: plain lines.
  public static final Terminal PLAIN = new Terminal(false, false, DEFAULT_HEIGHT, DEFAULT_WIDTH);

  /// Asks the shell, since the JDK knows only whether input *and* output are a terminal.
  public static Terminal detect() {
    boolean isTerminal = isOutputATerminal();
    return of(System.getenv(), isTerminal, isTerminal ? size() : "");
  }

  /// As somebody finds it.
  ///
  /// @param size as `stty size` says it: rows, a blank, columns
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
      // No `test` program here: plain lines are right everywhere.
      return false;
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private static String size() {
    try {
      Process stty = new ProcessBuilder("sh", "-c", "stty size </dev/tty 2>/dev/null").start();
      try (InputStream said = stty.getInputStream()) {
        String size = new String(said.readAllBytes(), StandardCharsets.UTF_8).strip();
        return size.matches("[1-9][0-9]{0,3} [1-9][0-9]{0,3}") ? size : "";
      }
    } catch (IOException _) {
      // Nobody says how large it is.
      return "";
    }
  }
}
