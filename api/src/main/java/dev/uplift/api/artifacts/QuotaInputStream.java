package dev.uplift.api.artifacts;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;

/// Asks every few MiB whether there is still space, because a client may say nothing of the length, or upload several
/// artifacts at once.
final class QuotaInputStream extends FilterInputStream {
  private static final int BYTES_BETWEEN = 4 << 20;

  private final SpaceCheck check;
  private long bytesSinceCheck;

  QuotaInputStream(InputStream in, SpaceCheck check) {
    super(in);
    this.check = check;
  }

  /// Returns why there is no space; empty if there is.
  interface SpaceCheck {
    Optional<String> noSpace() throws IOException;
  }

  /// There is no space for what follows.
  static final class Exceeded extends IOException {
    private static final long serialVersionUID = 1;

    private final String reason;

    private Exceeded(String reason) {
      super(reason);
      this.reason = reason;
    }

    String reason() {
      return reason;
    }
  }

  @Override
  public int read() throws IOException {
    int read = super.read();
    count(read < 0 ? -1 : 1);
    return read;
  }

  @Override
  public int read(byte[] bytes, int offset, int length) throws IOException {
    int count = super.read(bytes, offset, length);
    count(count);
    return count;
  }

  /// Checks at the end, too, which is before the artifact is stored.
  private void count(int more) throws IOException {
    bytesSinceCheck += Math.max(0, more);
    if (more < 0 || bytesSinceCheck >= BYTES_BETWEEN) {
      bytesSinceCheck = 0;
      Optional<String> noSpace = check.noSpace();
      if (noSpace.isPresent()) {
        throw new Exceeded(noSpace.get());
      }
    }
  }
}
