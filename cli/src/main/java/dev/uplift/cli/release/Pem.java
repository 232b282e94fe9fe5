package dev.uplift.cli.release;

import dev.uplift.cli.rest.CommandFailed;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;

/// Text between `-----BEGIN …-----` lines, as openssl writes it.
final class Pem {
  private Pem() {}

  static String of(String label, byte[] der) {
    String base64 = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der);
    return "-----BEGIN " + label + "-----\n" + base64 + "\n-----END " + label + "-----\n";
  }

  static byte[] read(Path file, String label) {
    String begin = "-----BEGIN " + label + "-----";
    String text = text(file);
    int from = text.indexOf(begin);
    int to = text.indexOf("-----END " + label + "-----");
    if (from < 0 || to < from) {
      throw CommandFailed.usage(file + ": expected a PEM file with a line " + begin);
    }
    try {
      return Base64.getMimeDecoder().decode(text.substring(from + begin.length(), to));
    } catch (IllegalArgumentException e) {
      throw new CommandFailed(CommandFailed.USAGE, file + ": not Base64 below " + begin, e);
    }
  }

  private static String text(Path file) {
    try {
      return Files.readString(file, StandardCharsets.US_ASCII);
    } catch (IOException e) {
      throw new CommandFailed(CommandFailed.USAGE, file + ": cannot be read (" + e + ")", e);
    }
  }
}
