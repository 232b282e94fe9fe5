package dev.uplift.activities.host;

import dev.uplift.activities.nats.NatsAway;
import dev.uplift.activities.nats.Superseded;
import dev.uplift.activities.temporal.FailedAttempt;
import dev.uplift.activities.trust.NoCommandKey;
import dev.uplift.fleet.ErrorClass;
import dev.uplift.store.DatabaseAway;
import dev.uplift.workflows.device.Answer;
import io.temporal.activity.Activity;
import io.temporal.failure.ApplicationFailure;
import java.time.Duration;
import java.util.function.Supplier;

/// One attempt of a step: what becomes of the trouble that it meets.
final class Attempt {
  private static final Duration AT_MOST = Duration.ofSeconds(30);

  private Attempt() {}

  /// What `work` returns. Where something of ours is away the attempt fails, and the next one comes
  /// soon, however long the re-sends of the step are apart.
  static <T> T of(Supplier<T> work) {
    try {
      return work.get();
    } catch (NatsAway | DatabaseAway | NotKnownYet | NoCommandKey e) {
      throw FailedAttempt.because(e).setNextRetryDelay(pause()).build();
    } catch (Superseded e) {
      // Nothing comes of sending it again. What became of it has to be found out.
      throw ApplicationFailure.newNonRetryableFailure(
          String.valueOf(e.getMessage()), Superseded.class.getSimpleName());
    }
  }

  /// What `work` returns, or why there can be no command.
  static Answer ofCommand(Supplier<Answer> work) {
    return of(() -> {
      try {
        return work.get();
      } catch (NoSuchRelease e) {
        return new Answer.Failed("no-release", ErrorClass.FINAL, String.valueOf(e.getMessage()));
      } catch (UpgradeEnded e) {
        return new Answer.Failed("ended", ErrorClass.FINAL, String.valueOf(e.getMessage()));
      }
    });
  }

  /// One second after the first attempt, doubling.
  private static Duration pause() {
    int attempt = Activity.getExecutionContext().getInfo().getAttempt();
    Duration doubled = Duration.ofSeconds(1L << Math.clamp(attempt - 1L, 0, 10));
    return doubled.compareTo(AT_MOST) < 0 ? doubled : AT_MOST;
  }
}
