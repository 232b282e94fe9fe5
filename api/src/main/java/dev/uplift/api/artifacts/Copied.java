package dev.uplift.api.artifacts;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.util.HexFormat;

/// What a stream consisted of, after it was read to its end.
record Copied(String digest, long sizeBytes) {

  static Copied to(FileChannel file, InputStream bytes) throws IOException {
    // Not closed: the channel is to be forced first.
    return through(bytes, Channels.newOutputStream(file));
  }

  static Copied nowhere(InputStream bytes) throws IOException {
    try (OutputStream nothing = OutputStream.nullOutputStream()) {
      return through(bytes, nothing);
    }
  }

  private static Copied through(InputStream bytes, OutputStream out) throws IOException {
    MessageDigest digest = Digest.begin();
    long size = bytes.transferTo(new DigestOutputStream(out, digest));
    return new Copied(HexFormat.of().formatHex(digest.digest()), size);
  }

  boolean is(String wanted) {
    return digest.equals(wanted);
  }
}
