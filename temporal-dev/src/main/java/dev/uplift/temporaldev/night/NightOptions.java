package dev.uplift.temporaldev.night;

import java.time.Duration;

/// How long and how large a night is.
///
/// @param scale by which outages, and the times after which the server misses hosts and servers, are shorter than usual
/// @param windowSpan from the opening of the first window to that of the last
/// @param untilDeadline whether the night lasts until the deadline of the rollout, at which it leaves out the devices
///   that are still off; otherwise it ends as soon as the rollout waits for nothing but them
public record NightOptions(int devices, long seed, int scale, Duration windowSpan, boolean untilDeadline) {
  private static final Duration HEARTBEAT = Duration.ofSeconds(30);
  private static final Duration SILENT_AFTER = Duration.ofSeconds(100);
  private static final Duration NATS_OUTAGE = Duration.ofMinutes(10);
  private static final Duration SOAK = Duration.ofMinutes(1);

  /// Most seconds over which a rollout spreads its starts after an opening.
  private static final int MAX_SPREAD_SECONDS = 900;

  /// For each device: what a slow machine needs.
  private static final Duration TIME_PER_DEVICE = Duration.ofMillis(300);

  private static final Duration SPARE_TIME = Duration.ofMinutes(10);

  Duration heartbeatInterval() {
    return atLeastASecond(HEARTBEAT);
  }

  Duration silentAfter() {
    return scaled(SILENT_AFTER);
  }

  Duration natsOutage() {
    return scaled(NATS_OUTAGE);
  }

  /// Long enough that the server notices.
  Duration connectionLoss() {
    return scaled(SILENT_AFTER.multipliedBy(2));
  }

  Duration soak() {
    return atLeastASecond(SOAK);
  }

  /// How long after its creation the rollout leaves out what is off.
  Duration rolloutDeadline() {
    return windowSpan
        .plusSeconds(Math.min(devices, MAX_SPREAD_SECONDS))
        .plus(natsOutage())
        .plus(TIME_PER_DEVICE.multipliedBy(devices))
        .plus(SPARE_TIME);
  }

  Duration scaled(Duration usual) {
    return usual.dividedBy(scale);
  }

  private Duration atLeastASecond(Duration usual) {
    Duration scaled = scaled(usual);
    return scaled.compareTo(Duration.ofSeconds(1)) < 0 ? Duration.ofSeconds(1) : Duration.ofSeconds(scaled.toSeconds());
  }
}
