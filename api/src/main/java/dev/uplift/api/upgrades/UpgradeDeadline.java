package dev.uplift.api.upgrades;

import dev.uplift.api.json.BodyErrors;
import dev.uplift.fleet.UpgradeState;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/// The field `not_after` of requests: nothing of an upgrade starts after it.
final class UpgradeDeadline {
  private static final Duration STANDARD = Duration.ofHours(24);

  private UpgradeDeadline() {}

  /// Reports a deadline that is in the past or too far in the future.
  static void check(@Nullable Instant notAfter, BodyErrors errors, Instant now) {
    if (notAfter != null && (!notAfter.isAfter(now) || notAfter.isAfter(now.plus(UpgradeState.MAX_DURATION)))) {
      errors.add(
          "/not_after",
          "expected a time in the future, at most %d days from now".formatted(UpgradeState.MAX_DURATION.toDays()));
    }
  }

  static Instant orTomorrow(@Nullable Instant notAfter, Instant now) {
    return notAfter == null ? inSeconds(now.plus(STANDARD)) : notAfter;
  }

  static Instant orLatest(@Nullable Instant notAfter, Instant now) {
    return notAfter == null ? inSeconds(now.plus(UpgradeState.MAX_DURATION)) : notAfter;
  }

  private static Instant inSeconds(Instant time) {
    return time.truncatedTo(ChronoUnit.SECONDS);
  }
}
