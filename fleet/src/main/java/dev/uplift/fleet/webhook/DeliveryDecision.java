package dev.uplift.fleet.webhook;

import dev.uplift.fleet.webhook.DeliveryAttempt.Answered;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/// The next step after an attempt to deliver an event.
public sealed interface DeliveryDecision {
  /// The pause after a first failure. It doubles with each further one.
  Duration FIRST_PAUSE = Duration.ofSeconds(5);

  Duration MAX_PAUSE = Duration.ofMinutes(10);

  /// However much longer a receiver asks for.
  Duration MAX_RETRY_AFTER = Duration.ofHours(1);

  /// It is delivered; the next event is sent.
  record Proceed() implements DeliveryDecision {}

  /// The same event is sent again after a pause.
  record Retry(Duration pause) implements DeliveryDecision {}

  /// Nothing is sent any more until a person enables the webhook.
  ///
  /// @param reason for people
  record Disable(String reason) implements DeliveryDecision {}

  /// The failures before an attempt, without a success in between.
  ///
  /// @param count how many
  /// @param since when the first of them happened; empty if there was none
  record Failures(int count, Optional<Instant> since) {
    public static final Failures NONE = new Failures(0, Optional.empty());
  }

  /// Decides.
  ///
  /// @param before what failed before this attempt
  /// @param limit how long a receiver may fail without a success in between
  static DeliveryDecision of(DeliveryAttempt attempt, Failures before, Instant now, Duration limit) {
    if (attempt.isAccepted()) {
      return new Proceed();
    }
    if (attempt instanceof Answered answer && answer.isGone()) {
      return new Disable("the receiver answered 410: it wants no more events");
    }
    Instant since = before.since().orElse(now);
    return Duration.between(since, now).compareTo(limit) >= 0
        ? new Disable("no event was accepted since %s; the last time: %s".formatted(since, attempt.describe()))
        : new Retry(pause(attempt, before.count()));
  }

  private static Duration pause(DeliveryAttempt attempt, int failures) {
    Duration own = failures > 6 ? MAX_PAUSE : FIRST_PAUSE.multipliedBy(1L << failures);
    Duration asked =
        attempt instanceof Answered(int _, Optional<Duration> retryAfter)
            ? retryAfter.orElse(Duration.ZERO)
            : Duration.ZERO;
    Duration bounded = asked.compareTo(MAX_RETRY_AFTER) > 0 ? MAX_RETRY_AFTER : asked;
    return bounded.compareTo(own) > 0 ? bounded : own;
  }
}
