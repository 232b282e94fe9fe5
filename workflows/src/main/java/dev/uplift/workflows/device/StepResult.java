package dev.uplift.workflows.device;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonTypeName;
import dev.uplift.fleet.ErrorClass;
import dev.uplift.fleet.HostState;
import dev.uplift.fleet.Reason;
import dev.uplift.fleet.Step;
import java.util.Optional;

/// How a step ended on a host. A step that failed has *returned* that: Temporal refuses a failure
/// by id while the activity is between two attempts.
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "answer")
public sealed interface StepResult {
  /// What the order asks for is so. Of [HostSteps#awaitHeartbeat] it is seen, else it is said.
  @JsonTypeName("done")
  record Done(HostState state) implements StepResult {}

  /// The release is installed and runs after the next boot. `bootId` is the one before it.
  @JsonTypeName("reboot-required")
  record RebootRequired(String bootId) implements StepResult {}

  /// Another agent of the host is started and is to take over from this one, which still works.
  ///
  /// @param outgoingInstance of the agent that says this, and that is to make way
  @JsonTypeName("handover-required")
  record HandoverRequired(String outgoingInstance) implements StepResult {}

  /// Broken off, and nothing is changed.
  @JsonTypeName("cancelled")
  record Cancelled() implements StepResult {}

  /// `text` is for people.
  @JsonTypeName("failed")
  record Failed(String code, ErrorClass errorClass, String message) implements StepResult {
    /// The host was told after the time by which it should have begun.
    public boolean isExpired() {
      return code.equals("expired");
    }

    public Reason reason() {
      return Reason.error(errorClass, code, message);
    }
  }

  /// What went wrong, to one who has not had the order cancelled.
  default Optional<Failed> failure() {
    return switch (this) {
      case Done _, RebootRequired _, HandoverRequired _ -> Optional.empty();
      case Cancelled _ ->
          Optional.of(new Failed("cancelled", ErrorClass.RETRYABLE, "broken off by somebody else"));
      case Failed failed -> Optional.of(failed);
    };
  }

  /// Whether a host that says this, the first time it is asked, is as it was.
  default boolean leftHostUnchanged() {
    return switch (this) {
      case Done _, RebootRequired _, HandoverRequired _ -> false;
      case Cancelled _ -> true;
      case Failed failed ->
          failed.errorClass() == ErrorClass.DECLINED
              || failed.reason().kind() == Reason.Kind.DEADLINE;
    };
  }

  /// Whether a host that says this to `inspect` has done the order all the same.
  default boolean showsDone(StepRequest stepRequest) {
    return switch (this) {
      case Done(HostState state) -> stepRequest.isReachedBy(state);
      case RebootRequired _, HandoverRequired _ -> stepRequest.step() == Step.UPGRADE;
      case Cancelled _, Failed _ -> false;
    };
  }

  /// Why the order counts as failed if a host says this to `inspect` and has not done it.
  default Reason failureReason(StepRequest stepRequest) {
    return switch (this) {
      case Done(HostState state) -> Reason.notReached(stepRequest.toString(), state);
      case Failed failed -> failed.reason();
      case RebootRequired _, HandoverRequired _, Cancelled _ -> Reason.noAnswer(stepRequest.toString());
    };
  }
}
