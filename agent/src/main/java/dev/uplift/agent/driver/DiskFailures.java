package dev.uplift.agent.driver;

import dev.uplift.agent.files.DiskSpace;
import dev.uplift.agent.files.FileOps;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;

/// The result for a disk that is full or fails. Either needs an operator.
public final class DiskFailures {
  public static final String FULL = "insufficient-space";

  /// A file system with less than this is as good as full, whatever the system calls it.
  private static final long MIN_USABLE = 1L << 20;

  private DiskFailures() {}

  /// The answer to give.
  ///
  /// @param path near which it happened
  public static StepFailed stepFailed(IOException e, FileOps files, Path path) {
    return isFull(e, files, path)
        ? StepFailed.needsPerson(FULL, "the disk is full: " + e.getMessage())
        : StepFailed.needsPerson("disk-failed", e.toString());
  }

  /// Before anything is written: a full disk harms everything on the host.
  ///
  /// @param needed bytes, without the reserve
  public static void requireSpace(long needed, FileOps files, Path path) throws StepFailed {
    try {
      DiskSpace diskSpace = files.space(path);
      if (!diskSpace.hasRoomFor(needed)) {
        throw StepFailed.needsPerson(
            FULL,
            "needs %d MiB and a reserve of %d MiB, found %d MiB free at %s"
                .formatted(mib(needed), mib(diskSpace.reserve()), diskSpace.usable() >> 20, path));
      }
    } catch (IOException e) {
      throw stepFailed(e, files, path);
    }
  }

  private static long mib(long bytes) {
    return Math.ceilDiv(bytes, 1L << 20);
  }

  public static boolean isFull(IOException e, FileOps files, Path path) {
    // Java tells by the text alone, and the text depends on the host's language.
    String text = String.valueOf(e.getMessage()).toLowerCase(Locale.ROOT);
    if (text.contains("no space left") || text.contains("quota exceeded")) {
      return true;
    }
    try {
      return files.space(path).usable() < MIN_USABLE;
    } catch (IOException _) {
      // Then the first failure is all that is known.
      return false;
    }
  }
}
