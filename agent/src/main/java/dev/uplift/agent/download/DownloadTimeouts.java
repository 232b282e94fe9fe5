package dev.uplift.agent.download;

import java.time.Duration;

/// When to stop a download. The next call resumes it.
///
/// @param connect until the connection is there
/// @param read without a byte
/// @param slowFor this long below `slowBytesPerSecond`
public record DownloadTimeouts(Duration connect, Duration read, Duration slowFor, long minBytesPerSecond) {

  /// A link that brings 256 bytes a second brings an artifact of 1 MiB in an hour: one that brings less is as good as
  /// none.
  public static final DownloadTimeouts DEFAULTS =
      new DownloadTimeouts(Duration.ofSeconds(15), Duration.ofSeconds(30), Duration.ofMinutes(1), 256);
}
