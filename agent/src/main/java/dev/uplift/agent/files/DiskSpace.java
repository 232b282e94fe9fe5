package dev.uplift.agent.files;

/// Free space of a file system, in bytes.
public record DiskSpace(long usable, long total) {
  private static final long MIB = 1L << 20;

  /// The space that an upgrade leaves free for others: a twentieth of the disk, but no less than 64 and no more than
  /// 512 MiB.
  public long reserve() {
    return Math.clamp(total / 20, 64 * MIB, 512 * MIB);
  }

  public boolean hasRoomFor(long bytes) {
    return usable - reserve() >= bytes;
  }
}
