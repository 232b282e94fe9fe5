package dev.uplift.activities.host;

import dev.uplift.activities.temporal.ActivityFailures;
import dev.uplift.fleet.ErrorClass;
import dev.uplift.services.messaging.NatsUnavailable;
import dev.uplift.services.messaging.StaleEpoch;
import dev.uplift.services.trust.NoCommandKey;
import dev.uplift.store.DatabaseUnavailable;
import dev.uplift.workflows.device.StepResult;
import io.temporal.activity.Activity;
import io.temporal.failure.ApplicationFailure;
import java.time.Duration;
import java.util.function.Supplier;

/// One attempt of a step: what becomes of the trouble that it meets.
final class StepFailureTranslator {
  private static final Duration MAX_RETRY_DELAY = Duration.ofSeconds(30);

  private StepFailureTranslator() {}

  /// What `work` returns. Where something of ours is away the attempt fails, and the next one comes
  /// soon, however long the re-sends of the step are apart.
  static <T> T call(Supplier<T> work) {
    try {
      return work.get();
    } catch (NatsUnavailable | DatabaseUnavailable | ObservationUnavailable | NoCommandKey e) {
      throw ActivityFailures.retryable(e).setNextRetryDelay(retryDelay()).build();
    } catch (StaleEpoch e) {
      // Nothing comes of sending it again. What became of it has to be found out.
      throw ApplicationFailure.newNonRetryableFailure(
          String.valueOf(e.getMessage()), StaleEpoch.class.getSimpleName());
    }
  }

  /// What `work` returns, or why there can be no command.
  static StepResult callForCommand(Supplier<StepResult> work) {
    return call(() -> {
      try {
        return work.get();
      } catch (NoSuchRelease e) {
        return new StepResult.Failed("no-release", ErrorClass.FINAL, String.valueOf(e.getMessage()));
      } catch (UpgradeAlreadyEnded e) {
        return new StepResult.Failed("ended", ErrorClass.FINAL, String.valueOf(e.getMessage()));
      }
    });
  }

  /// One second after the first attempt, doubling.
  private static Duration retryDelay() {
    int attempt = Activity.getExecutionContext().getInfo().getAttempt();
    Duration doubled = Duration.ofSeconds(1L << Math.clamp(attempt - 1L, 0, 10));
    return doubled.compareTo(MAX_RETRY_DELAY) < 0 ? doubled : MAX_RETRY_DELAY;
  }
}
