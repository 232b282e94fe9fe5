package dev.uplift.api.artifacts;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/// Reads the first bytes of a stream, and then reports its end.
final class LimitedInputStream extends FilterInputStream {
  private long remaining;

  LimitedInputStream(InputStream whole, long length) {
    super(whole);
    this.remaining = length;
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] into, int offset, int length) throws IOException {
    if (remaining == 0) {
      return -1;
    }
    int n = super.read(into, offset, (int) Math.min(remaining, length));
    remaining -= Math.max(n, 0);
    return n;
  }

  @Override
  public long skip(long n) throws IOException {
    long skipped = super.skip(Math.min(remaining, n));
    remaining -= skipped;
    return skipped;
  }

  @Override
  public int available() throws IOException {
    return (int) Math.min(remaining, super.available());
  }

  @Override
  public boolean markSupported() {
    return false;
  }
}
