package dev.uplift.services.messaging;

/// How many bytes the streams may have.
///
/// @param commands of the stream with the newest command of each host
/// @param events of the stream with the events of agents
/// @param infos of the stream with the newest info of each host
/// @param roots of the stream with the trust roots
public record StreamSizes(long commands, long events, long infos, long roots) {
  private static final int DEFAULT_COMMANDS_MIB = 4096;
  private static final int DEFAULT_EVENTS_MIB = 20_480;
  private static final int DEFAULT_INFOS_MIB = 2048;
  private static final int DEFAULT_ROOTS_MIB = 256;

  public static final StreamSizes DEFAULTS =
      ofMebibytes(DEFAULT_COMMANDS_MIB, DEFAULT_EVENTS_MIB, DEFAULT_INFOS_MIB, DEFAULT_ROOTS_MIB);

  public static StreamSizes ofMebibytes(int commands, int events, int infos, int roots) {
    return new StreamSizes((long) commands << 20, (long) events << 20, (long) infos << 20, (long) roots << 20);
  }

  /// Returns what a nats-server needs that has all streams.
  public long total() {
    return commands + events + infos + roots;
  }
}
