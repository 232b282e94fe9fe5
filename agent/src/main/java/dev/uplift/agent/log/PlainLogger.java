package dev.uplift.agent.log;

import dev.uplift.protocol.json.Rfc3339;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ResourceBundle;
import org.jspecify.annotations.Nullable;

/// `2026-01-31T09:05:00.123Z WARNING the text`, and below it the stack of what was thrown.
record PlainLogger(String name) implements System.Logger {
  @Override
  public String getName() {
    return name;
  }

  @Override
  public boolean isLoggable(Level level) {
    return PlainLoggerFinder.isEnabled(level);
  }

  @Override
  public void log(Level level, @Nullable ResourceBundle bundle, @Nullable String message, @Nullable Throwable thrown) {
    write(level, String.valueOf(message), thrown);
  }

  @Override
  public void log(
      Level level, @Nullable ResourceBundle bundle, @Nullable String format, @Nullable Object @Nullable ... values) {
    String text = String.valueOf(format);
    write(level, values == null || values.length == 0 ? text : filled(text, values), null);
  }

  private static void write(Level level, String text, @Nullable Throwable thrown) {
    if (!PlainLoggerFinder.isEnabled(level)) {
      return;
    }
    var line = new StringBuilder(Rfc3339.format(Instant.now().truncatedTo(ChronoUnit.MILLIS)));
    line.append(' ').append(level).append(' ').append(text);
    if (thrown != null) {
      var stack = new StringWriter();
      thrown.printStackTrace(new PrintWriter(stack));
      line.append('\n').append(stack.toString().stripTrailing());
    }
    System.err.println(line);
  }

  /// `{0}` is the first value. As in the runtime's message formats, `''` is one apostrophe.
  static String filled(String format, @Nullable Object... values) {
    var text = new StringBuilder(format.length() + 64);
    for (int i = 0; i < format.length(); i++) {
      int value = i + 2 < format.length() ? format.charAt(i + 1) - '0' : -1;
      if (format.charAt(i) == '{' && value >= 0 && value < values.length && format.charAt(i + 2) == '}') {
        text.append(values[value]);
        i += 2;
      } else {
        text.append(format.charAt(i));
        if (format.startsWith("''", i)) {
          i++;
        }
      }
    }
    return text.toString();
  }
}
