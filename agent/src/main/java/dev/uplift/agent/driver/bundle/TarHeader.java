package dev.uplift.agent.driver.bundle;

/// One block of 512 bytes that says what follows.
record TarHeader(String name, int mode, long size, char type, String target) {
  private static final int CHECKSUM = 148;
  private static final int CHECKSUM_LENGTH = 8;

  static TarHeader of(byte[] block) throws InvalidArchive {
    if (sum(block) != octal(block, CHECKSUM, CHECKSUM_LENGTH)) {
      throw new InvalidArchive("a damaged header, or no tar archive");
    }
    String name = TarReader.textOf(block, 0, 100);
    // The prefix is POSIX's: where GNU's magic stands, other things stand at its place.
    boolean posix = TarReader.textOf(block, 257, 6).equals("ustar");
    String prefix = posix ? TarReader.textOf(block, 345, 155) : "";
    return new TarHeader(
        prefix.isEmpty() ? name : prefix + "/" + name,
        (int) octal(block, 100, 8) & 0b111_111_111_111,
        number(block, 124, 12),
        (char) block[156],
        TarReader.textOf(block, 157, 100));
  }

  /// With its own field taken for blanks.
  private static long sum(byte[] block) {
    long sum = 0;
    for (int i = 0; i < block.length; i++) {
      boolean own = i >= CHECKSUM && i < CHECKSUM + CHECKSUM_LENGTH;
      sum += own ? ' ' : block[i] & 0xff;
    }
    return sum;
  }

  /// Octal digits, or where they do not suffice, binary with the first bit set.
  private static long number(byte[] block, int start, int length) throws InvalidArchive {
    if ((block[start] & 0x80) == 0) {
      return octal(block, start, length);
    }
    long value = block[start] & 0x7f;
    for (int i = start + 1; i < start + length; i++) {
      if (value >> 47 != 0) {
        throw new InvalidArchive("a size beyond all bounds");
      }
      value = (value << 8) | (block[i] & 0xff);
    }
    return value;
  }

  private static long octal(byte[] block, int start, int length) throws InvalidArchive {
    String text = TarReader.textOf(block, start, length).strip();
    try {
      return text.isEmpty() ? 0 : Long.parseLong(text, 8);
    } catch (NumberFormatException _) {
      throw new InvalidArchive("a damaged header, or no tar archive");
    }
  }
}
