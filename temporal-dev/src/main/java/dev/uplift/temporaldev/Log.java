package dev.uplift.temporaldev;

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

/// The end of a log file, for messages to people.
final class Log {
  private static final int TAIL = 16_384;
  private static final int LINES = 15;
  private static final int LINE = 300;

  private Log() {}

  /// The last lines, each cut where it is too long for a message; says why when there is nothing to
  /// be read.
  static String tail(Path log) {
    try (var file = new RandomAccessFile(log.toFile(), "r")) {
      long from = Math.max(0, file.length() - TAIL);
      byte[] bytes = new byte[(int) (file.length() - from)];
      file.seek(from);
      file.readFully(bytes);
      String text = new String(bytes, UTF_8);
      List<String> lines = text.lines().filter(line -> !line.isBlank()).toList();
      return lines.subList(Math.max(0, lines.size() - LINES), lines.size()).stream()
          .map(line -> line.length() > LINE ? line.substring(0, LINE) + "…" : line)
          .collect(Collectors.joining("\n"));
    } catch (IOException e) {
      return "(cannot read " + log + ": " + e.getMessage() + ")";
    }
  }

  /// How many of its lines end with this; none where there is no log yet.
  static long count(Path log, String text) {
    if (!Files.exists(log)) {
      return 0;
    }
    // Whatever a program says there need not be UTF-8.
    try (Stream<String> lines = Files.lines(log, ISO_8859_1)) {
      return lines.filter(line -> line.endsWith(text)).count();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
