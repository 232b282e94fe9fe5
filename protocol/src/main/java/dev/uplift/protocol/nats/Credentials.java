package dev.uplift.protocol.nats;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// The user JWT and the key with which a client logs in to NATS. As text it is the usual `.creds` file. A secret;
/// [#toString()] shows the public key only.
public record Credentials(String jwt, Nkey key) {
  private static final String JWT = "NATS USER JWT";
  private static final String SEED = "USER NKEY SEED";

  /// A file that is none is an [IOException] that names it and shows nothing of what is in it.
  public static Credentials read(Path file) throws IOException {
    try {
      return parse(Files.readString(file));
    } catch (IllegalArgumentException e) {
      throw new IOException(file + ": " + e.getMessage(), e);
    }
  }

  /// Throws [IllegalArgumentException] where it is none.
  public static Credentials parse(String text) {
    return new Credentials(block(text, JWT), Nkey.fromSeed(block(text, SEED)));
  }

  private static String block(String text, String label) {
    String begin = "-----BEGIN " + label + "-----";
    int from = text.indexOf(begin);
    int to = text.indexOf("------END " + label + "------");
    if (from < 0 || to < from) {
      throw new IllegalArgumentException("expected a block " + label);
    }
    return text.substring(from + begin.length(), to).strip();
  }

  public String format() {
    return block(JWT) + jwt + end(JWT) + "\n" + block(SEED) + key.seed() + end(SEED);
  }

  private static String block(String label) {
    return "-----BEGIN " + label + "-----\n";
  }

  private static String end(String label) {
    return "\n------END " + label + "------\n";
  }

  @Override
  public String toString() {
    return "credentials of " + key.publicKey();
  }
}
