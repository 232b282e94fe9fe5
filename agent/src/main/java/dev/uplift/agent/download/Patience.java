package dev.uplift.agent.download;

import java.time.Duration;

/// When to give up on a server. The next call goes on where this one stopped.
///
/// @param connect for the connection to be there
/// @param silence without a byte
/// @param slow this long below `slowBytesPerSecond`
public record Patience(Duration connect, Duration silence, Duration slow, long slowBytesPerSecond) {

  /// A link that brings 256 bytes a second brings an artifact of 1 MiB in an hour: one that brings
  /// less is as good as none.
  public static final Patience USUAL =
      new Patience(Duration.ofSeconds(15), Duration.ofSeconds(30), Duration.ofMinutes(1), 256);
}
