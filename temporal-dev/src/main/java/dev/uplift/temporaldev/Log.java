package dev.uplift.temporaldev;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Path;

/// The end of a log file, for messages to people.
final class Log {
  private static final int TAIL = 4096;

  private Log() {}

  /// The last lines, at most 4 KiB; says why when there is nothing to be read.
  static String tail(Path log) {
    try (var file = new RandomAccessFile(log.toFile(), "r")) {
      long from = Math.max(0, file.length() - TAIL);
      byte[] bytes = new byte[(int) (file.length() - from)];
      file.seek(from);
      file.readFully(bytes);
      String text = new String(bytes, UTF_8);
      return (from == 0 ? text : text.substring(text.indexOf('\n') + 1)).stripTrailing();
    } catch (IOException e) {
      return "(cannot read " + log + ": " + e.getMessage() + ")";
    }
  }
}
