package dev.uplift.api.rollouts;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.uplift.fleet.rollout.RolloutOutcome;
import dev.uplift.fleet.rollout.RolloutState;
import dev.uplift.fleet.rollout.WaitReason;
import dev.uplift.store.rollout.RolloutWait;
import dev.uplift.store.rollout.WaveRow;
import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// A rollout as clients see it. Lists have neither `plan` nor anything after it.
///
/// @param currentWave number of the current wave; 0 before the first
/// @param waveCount number of waves; 0 for a draft
/// @param waitingFor absent if it waits for nothing
/// @param revision rises with each change of plan, rules or state by an operator; also the ETag
/// @param temporalUi link to its run in Temporal Web UI; absent if none is configured
/// @param plan the whole plan, defaults included; rules as they are now
/// @param allowedActions the actions that are possible now
/// @param lastDecision with its reason
/// @param failingWorkflow why its workflow does not continue by itself; absent if it does
@Serdeable
record RolloutView(
    String id,
    String title,
    @JsonProperty("package") String packageName,
    String version,
    @Schema(implementation = RolloutState.class) String state,
    @Schema(implementation = RolloutOutcome.class) Optional<String> outcome,
    int currentWave,
    int waveCount,
    String createdBy,
    Instant createdAt,
    Optional<Instant> startAt,
    Optional<Instant> startedAt,
    Optional<Instant> endedAt,
    int priority,
    Optional<RolloutWaitView> waitingFor,
    long revision,
    Optional<String> temporalUi,
    @Schema(implementation = RolloutRequest.class) Optional<Map<String, Object>> plan,
    Optional<List<String>> allowedActions,
    Optional<String> pausedBy,
    Optional<String> abortedBy,
    Optional<DeviceCountsView> counts,
    Optional<List<WaveView>> waves,
    Optional<DecisionView> lastDecision,
    Optional<String> failingWorkflow) {

  /// The reason why a rollout waits.
  ///
  /// @param reason for programs
  /// @param message for people
  /// @param until when the wait ends by itself, if it does
  @Serdeable
  record RolloutWaitView(
      @Schema(implementation = WaitReason.class) String reason,
      String message,
      Instant since,
      Optional<Instant> until) {
    static RolloutWaitView of(RolloutWait wait) {
      return new RolloutWaitView(wait.reason().toString(), wait.message(), wait.since(), wait.until());
    }
  }

  /// The state of a wave.
  ///
  /// @param approval absent unless it was required and given
  @Serdeable
  record WaveView(
      int number,
      String title,
      @Schema(
              type = "string",
              allowableValues = {"pending", "running", "soaking", "completed"})
          String state,
      DeviceCountsView counts,
      Optional<ApprovalView> approval,
      Optional<Instant> startedAt,
      Optional<Instant> lastDeviceEndedAt,
      Optional<Instant> completedAt,
      Optional<String> completedBy) {}

  /// The approval of a wave.
  ///
  /// @param reason that the person gave; may be empty
  @Serdeable
  record ApprovalView(String actor, Instant approvedAt, String reason) {
    static ApprovalView of(WaveRow.Approval approval) {
      return new ApprovalView(approval.by(), approval.at(), approval.remark());
    }
  }
}
