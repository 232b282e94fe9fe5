package dev.uplift.fleet.webhook;

import java.time.Duration;
import java.util.Optional;

/// The result of sending a message to a receiver.
public sealed interface DeliveryAttempt {
  /// It answered.
  ///
  /// @param status of HTTP
  /// @param retryAfter how long it asks to be left alone
  record Answered(int status, Optional<Duration> retryAfter) implements DeliveryAttempt {
    private static final int GONE = 410;

    /// Returns whether it says that nothing is to be sent any more.
    boolean isGone() {
      return status == GONE;
    }
  }

  /// It was not reached, or did not answer in time.
  ///
  /// @param reason for people
  record Unanswered(String reason) implements DeliveryAttempt {}

  /// Returns whether the receiver has accepted the message.
  default boolean isAccepted() {
    return this instanceof Answered(int status, Optional<Duration> _) && status >= 200 && status < 300;
  }

  /// Returns what happened, for people.
  default String describe() {
    return switch (this) {
      case Answered(int status, Optional<Duration> _) when status >= 300 && status < 400 ->
          "the receiver answered %d; redirects are not followed".formatted(status);
      case Answered(int status, Optional<Duration> _) -> "the receiver answered " + status;
      case Unanswered(String reason) -> reason;
    };
  }
}
