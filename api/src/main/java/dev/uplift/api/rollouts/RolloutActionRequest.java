package dev.uplift.api.rollouts;

import dev.uplift.api.json.NameOf;
import dev.uplift.api.json.RequestBody;
import dev.uplift.api.request.IdempotencyKey;
import dev.uplift.api.request.RequestContext;
import dev.uplift.fleet.NameRule;
import dev.uplift.fleet.rollout.OperatorAction;
import dev.uplift.workflows.rollout.RolloutAction;
import io.micronaut.core.annotation.Introspected;
import io.micronaut.core.bind.annotation.Bindable;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.Size;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// An action on a rollout.
///
/// @param reason for the log of decisions; may be empty
@Introspected
record RolloutActionRequest(@Bindable(defaultValue = "") @Size(max = 500) String reason) implements RequestBody {
  static final RolloutActionRequest EMPTY = new RolloutActionRequest("");

  RolloutAction action(OperatorAction action, IdempotencyKey key, RequestContext requestContext) {
    return RolloutAction.of(key.value(), action, requestContext.caller().name(), reason);
  }

  private RolloutAction action(
      OperatorAction action,
      IdempotencyKey key,
      RequestContext requestContext,
      Optional<Integer> wave,
      List<String> devices,
      List<String> errorCodes) {
    return new RolloutAction(
        key.value(), action, requestContext.caller().name(), reason, wave, devices, errorCodes, Optional.empty());
  }

  /// The end of a rollout.
  ///
  /// @param abortRunning whether upgrades that run are aborted too
  @Introspected
  record AbortRolloutRequest(
      @Bindable(defaultValue = "") @Size(max = 500) String reason,
      @Bindable(defaultValue = "false") boolean abortRunning)
      implements RequestBody {
    static final AbortRolloutRequest EMPTY = new AbortRolloutRequest("", false);

    RolloutAction action(IdempotencyKey key, RequestContext requestContext) {
      return new RolloutActionRequest(reason)
          .action(abortRunning ? OperatorAction.ABORT_RUNNING : OperatorAction.ABORT, key, requestContext);
    }
  }

  /// The approval of a wave.
  ///
  /// @param revision of the rollout that was looked at
  @Introspected
  record ApproveWaveRequest(@Bindable(defaultValue = "") @Size(max = 500) String reason, @Min(1) Integer revision)
      implements RequestBody {
    RolloutAction action(IdempotencyKey key, RequestContext requestContext) {
      return new RolloutActionRequest(reason)
          .action(OperatorAction.APPROVE, key, requestContext)
          .withExpectedRevision(Optional.of((long) revision));
    }
  }

  /// An action on a wave.
  ///
  /// @param wave its number; absent: the current one
  @Introspected
  record WaveActionRequest(
      @Bindable(defaultValue = "") @Size(max = 500) String reason, @Nullable @Min(1) @Max(100_000) Integer wave)
      implements RequestBody {
    static final WaveActionRequest EMPTY = new WaveActionRequest("", null);

    RolloutAction action(OperatorAction action, IdempotencyKey key, RequestContext requestContext) {
      return new RolloutActionRequest(reason)
          .action(action, key, requestContext, Optional.ofNullable(wave), List.of(), List.of());
    }
  }

  /// Another attempt for devices that failed.
  ///
  /// @param errorCodes only those with one of these first errors; absent: all that failed
  @Introspected
  record RetryFailedRequest(
      @Bindable(defaultValue = "") @Size(max = 500) String reason,
      @Nullable @Size(min = 1, max = 50) List<@NotBlank @Size(max = 100) String> errorCodes)
      implements RequestBody {
    static final RetryFailedRequest EMPTY = new RetryFailedRequest("", null);

    RolloutAction action(IdempotencyKey key, RequestContext requestContext) {
      return new RolloutActionRequest(reason)
          .action(
              OperatorAction.RETRY_FAILED,
              key,
              requestContext,
              Optional.empty(),
              List.of(),
              errorCodes == null ? List.of() : errorCodes);
    }
  }

  /// An action on devices.
  ///
  /// @param devices their names
  @Introspected
  record DevicesActionRequest(
      @Bindable(defaultValue = "") @Size(max = 500) String reason,
      @NameOf(NameRule.DEVICE) @Size(min = 1, max = 500) List<String> devices)
      implements RequestBody {
    RolloutAction action(OperatorAction action, IdempotencyKey key, RequestContext requestContext) {
      return new RolloutActionRequest(reason).action(action, key, requestContext, Optional.empty(), devices, List.of());
    }
  }
}
