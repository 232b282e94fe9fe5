package dev.uplift.services.messaging;

/// How many bytes the streams may have. Those that grow with the fleet can be set.
///
/// @param commands of the stream with the newest command of each host
/// @param events of the stream with the events of agents
public record StreamSizes(long commands, long events) {
  private static final int DEFAULT_COMMANDS_MIB = 4096;
  private static final int DEFAULT_EVENTS_MIB = 20_480;

  private static final long MIB = 1 << 20;

  /// Of the stream with the last info of each host.
  static final long STATES = 2048 * MIB;

  /// Of the stream with the trust roots.
  static final long ROOTS = 256 * MIB;

  public static final StreamSizes DEFAULTS = ofMebibytes(DEFAULT_COMMANDS_MIB, DEFAULT_EVENTS_MIB);

  public static StreamSizes ofMebibytes(int commands, int events) {
    return new StreamSizes(commands * MIB, events * MIB);
  }

  /// Returns what a nats-server needs that has all streams.
  public long total() {
    return commands + events + STATES + ROOTS;
  }
}
