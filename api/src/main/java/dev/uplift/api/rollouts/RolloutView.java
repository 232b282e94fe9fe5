package dev.uplift.api.rollouts;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.uplift.store.rollout.RolloutWait;
import dev.uplift.store.rollout.WaveRow;
import io.micronaut.serde.annotation.Serdeable;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// A rollout as clients see it. Lists have neither `plan` nor anything after it.
///
/// @param currentWave number of the current one; 0 before the first
/// @param waveCount how many there are; 0 of a draft
/// @param waitingFor absent where it works, or waits for nothing
/// @param revision rises with each change of plan, rules or steering; also the ETag
/// @param plan all of it, also what nobody said; what may change while it runs as it is now
/// @param allowedActions what a person may tell it now
/// @param lastDecision and why
@Serdeable
record RolloutView(
    String id,
    String title,
    @JsonProperty("package") String packageName,
    String version,
    String state,
    Optional<String> outcome,
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
    Optional<Map<String, Object>> plan,
    Optional<List<String>> allowedActions,
    Optional<String> pausedBy,
    Optional<String> abortedBy,
    Optional<DeviceCountsView> counts,
    Optional<List<WaveView>> waves,
    Optional<DecisionView> lastDecision) {

  /// What it waits for, if that is all it does.
  ///
  /// @param reason for programs
  /// @param message for people
  /// @param until when that comes by itself, if it does
  @Serdeable
  record RolloutWaitView(String reason, String message, Instant since, Optional<Instant> until) {
    static RolloutWaitView of(RolloutWait wait) {
      return new RolloutWaitView(
          wait.reason().toString(), wait.message(), wait.since(), wait.until());
    }
  }

  /// A wave as it stands.
  ///
  /// @param state `pending`, `running`, `soaking`, `completed`
  /// @param approval who said that it may begin, where that had to be
  @Serdeable
  record WaveView(
      int number,
      String title,
      String state,
      DeviceCountsView counts,
      Optional<ApprovalView> approval,
      Optional<Instant> startedAt,
      Optional<Instant> lastDeviceEndedAt,
      Optional<Instant> completedAt,
      Optional<String> completedBy) {}

  /// Who said that a wave may begin.
  @Serdeable
  record ApprovalView(String actor, Instant approvedAt, String reason) {
    static ApprovalView of(WaveRow.Approval approval) {
      return new ApprovalView(approval.by(), approval.at(), approval.remark());
    }
  }
}
