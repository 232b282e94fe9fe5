package dev.uplift.temporaldev.process;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Reads the end of log files, for messages to people.
public final class LogFile {
  private static final int TAIL_BYTES = 16_384;
  private static final int TAIL_LINES = 15;
  private static final int MAX_LINE_CHARS = 300;

  private LogFile() {}

  /// Returns the last lines, truncated to the length of a message, or why the file cannot be read.
  public static String tail(Path log) {
    try (var file = new RandomAccessFile(log.toFile(), "r")) {
      long from = Math.max(0, file.length() - TAIL_BYTES);
      byte[] bytes = new byte[(int) (file.length() - from)];
      file.seek(from);
      file.readFully(bytes);
      String text = new String(bytes, UTF_8);
      List<String> lines = text.lines().filter(line -> !line.isBlank()).toList();
      return lines.subList(Math.max(0, lines.size() - TAIL_LINES), lines.size()).stream()
          .map(line ->
              line.length() > MAX_LINE_CHARS ? line.substring(0, MAX_LINE_CHARS) + "…" : line)
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
    try (Stream<String> lines = Files.lines(log, ISO_8859_1)) {
      return lines.filter(line -> line.endsWith(text)).count();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
