package dev.uplift.api.artifacts;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.util.HexFormat;

/// The digest and size of a stream that was read to its end.
record StreamDigest(String digest, long sizeBytes) {

  static StreamDigest copying(FileChannel file, InputStream bytes) throws IOException {
    // Not closed, because the channel has to be forced first.
    return transfer(bytes, Channels.newOutputStream(file));
  }

  static StreamDigest draining(InputStream bytes) throws IOException {
    try (OutputStream nothing = OutputStream.nullOutputStream()) {
      return transfer(bytes, nothing);
    }
  }

  private static StreamDigest transfer(InputStream bytes, OutputStream out) throws IOException {
    MessageDigest digest = ArtifactDigest.newMessageDigest();
    long size = bytes.transferTo(new DigestOutputStream(out, digest));
    return new StreamDigest(HexFormat.of().formatHex(digest.digest()), size);
  }

  boolean matches(String wanted) {
    return digest.equals(wanted);
  }
}
