package dev.uplift.services.messaging;

/// How many bytes the streams may have that grow with the fleet.
///
/// @param commands of the stream with the newest command of each host
/// @param events of the stream with the events of agents
public record StreamSizes(long commands, long events) {
  private static final int DEFAULT_COMMANDS_MIB = 4096;
  private static final int DEFAULT_EVENTS_MIB = 20_480;

  public static final StreamSizes DEFAULTS = ofMebibytes(DEFAULT_COMMANDS_MIB, DEFAULT_EVENTS_MIB);

  public static StreamSizes ofMebibytes(int commands, int events) {
    return new StreamSizes((long) commands << 20, (long) events << 20);
  }
}
