package dev.uplift.temporaldev.process;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.uplift.cli.text.TextFormat;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import org.apache.commons.io.function.Uncheck;
import org.apache.commons.io.input.ReversedLinesFileReader;

/// Reads the end of log files, for messages to people.
public final class LogFile {
  private static final int TAIL_LINES = 15;
  private static final int MAX_LINE_CHARS = 300;

  private LogFile() {}

  /// Returns the last lines, truncated to the length of a message, or why the file cannot be read.
  public static String tail(Path log) {
    try (var file = ReversedLinesFileReader.builder().setPath(log).setCharset(UTF_8).get()) {
      return file.readLines(TAIL_LINES).reversed().stream()
          .filter(line -> !line.isBlank())
          .map(line -> TextFormat.truncate(line, MAX_LINE_CHARS))
          .collect(Collectors.joining("\n"));
    } catch (IOException e) {
      return "(cannot read " + log + ": " + e.getMessage() + ")";
    }
  }

  /// Counts the lines that end with a text; 0 without a log.
  public static long countLinesEndingWith(Path log, String text) {
    if (!Files.exists(log)) {
      return 0;
    }
    // Output of programs is not necessarily UTF-8.
    return Uncheck.get(() -> Files.readAllLines(log, ISO_8859_1)).stream().filter(line -> line.endsWith(text)).count();
  }
}
