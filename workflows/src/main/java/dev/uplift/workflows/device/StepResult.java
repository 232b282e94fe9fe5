package dev.uplift.workflows.device;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonTypeName;
import dev.uplift.fleet.ErrorClass;
import dev.uplift.fleet.HostState;
import dev.uplift.fleet.Reason;
import dev.uplift.fleet.Step;
import io.temporal.failure.ActivityFailure;
import io.temporal.failure.ApplicationErrorCategory;
import io.temporal.failure.ApplicationFailure;
import java.util.Optional;

/// How a step ended on a host. Activities fail with [Failed#toFailure], so that Temporal's tools show a failed step as
/// failed, or *return* [Failed]: Temporal refuses a failure by id while the activity is between two attempts. Both mean
/// the same (decision 0017).
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "result")
public sealed interface StepResult {
  /// The host is as the request wants it. [HostSteps#awaitHeartbeat] has seen it, all others have been told so.
  ///
  /// @param heard whether a heartbeat of the agent that said so had shown the same by then: version, boot and trial
  @JsonTypeName("done")
  record Done(HostState state, boolean heard) implements StepResult {
    /// A result of which no heartbeat is known.
    public Done(HostState state) {
      this(state, false);
    }
  }

  /// The release is installed and runs after the next boot. `bootId` is the one before it.
  @JsonTypeName("reboot-required")
  record RebootRequired(String bootId) implements StepResult {}

  /// Another agent of the host has been started and is to replace this one, which still works.
  ///
  /// @param outgoingInstance the agent that reports this, and that is to be replaced
  @JsonTypeName("handover-required")
  record HandoverRequired(String outgoingInstance) implements StepResult {}

  /// The step was cancelled, and nothing is changed.
  @JsonTypeName("cancelled")
  record Cancelled() implements StepResult {}

  /// Nothing was sent to the host, and this request never will be.
  ///
  /// @param reason for people
  @JsonTypeName("not-sent")
  record NotSent(String reason) implements StepResult {}

  /// The host has failed.
  ///
  /// @param message for people
  @JsonTypeName("failed")
  record Failed(String code, ErrorClass errorClass, String message) implements StepResult {
    /// Returns whether the host received the command after its time.
    public boolean hasExpired() {
      return code.equals("expired");
    }

    public Reason toReason() {
      return Reason.error(errorClass, code, message);
    }

    /// Returns this as the failure of an activity: the code as its type, this as its details. The workflow decides
    /// about retries, Temporal does not.
    public ApplicationFailure toFailure() {
      return ApplicationFailure.newBuilder()
          .setType(code)
          .setMessage(message)
          .setDetails(this)
          .setNonRetryable(true)
          .setCategory(ApplicationErrorCategory.BENIGN)
          .build();
    }

    /// Returns what an activity failed with; empty if it timed out, was cancelled, or failed for a reason that no host
    /// has given.
    public static Optional<Failed> ofFailure(ActivityFailure failure) {
      return failure.getCause() instanceof ApplicationFailure ended
              && ended.getDetails().getSize() == 1
              && ended.getDetails().get(StepResult.class) instanceof Failed failed
          ? Optional.of(failed)
          : Optional.empty();
    }
  }

  /// Returns what went wrong, for a caller that did not cancel the step.
  default Optional<Failed> failure() {
    return switch (this) {
      case Done _, RebootRequired _, HandoverRequired _ -> Optional.empty();
      case Cancelled _ ->
          Optional.of(new Failed("cancelled", ErrorClass.RETRYABLE, "cancelled, but not by this upgrade"));
      case NotSent(String reason) -> Optional.of(new Failed("not-sent", ErrorClass.RETRYABLE, reason));
      case Failed failed -> Optional.of(failed);
    };
  }

  /// Returns whether a host that answers this, the first time it is asked, is as it was.
  default boolean leftHostUnchanged() {
    return switch (this) {
      case Done _, RebootRequired _, HandoverRequired _ -> false;
      case Cancelled _, NotSent _ -> true;
      case Failed failed ->
          failed.errorClass() == ErrorClass.DECLINED || failed.toReason().kind() == Reason.Kind.DEADLINE;
    };
  }

  /// Returns whether a host that answers this to `inspect` has done the requested step all the same.
  default boolean showsDone(StepRequest stepRequest) {
    return switch (this) {
      case Done(HostState state, _) -> stepRequest.isReachedBy(state);
      case RebootRequired _, HandoverRequired _ -> stepRequest.step() == Step.UPGRADE;
      case Cancelled _, NotSent _, Failed _ -> false;
    };
  }

  /// Returns why the step counts as failed if a host answers this to `inspect` and has not done it.
  default Reason failureReason(StepRequest stepRequest) {
    return switch (this) {
      case Done(HostState state, _) -> Reason.notReached(stepRequest.toString(), state);
      case Failed failed -> failed.toReason();
      case RebootRequired _, HandoverRequired _, Cancelled _, NotSent _ -> Reason.noAnswer(stepRequest.toString());
    };
  }
}
