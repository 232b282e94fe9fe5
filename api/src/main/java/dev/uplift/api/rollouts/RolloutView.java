package dev.uplift.api.rollouts;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.uplift.store.RolloutWait;
import dev.uplift.store.WaveRow;
import io.micronaut.serde.annotation.Serdeable;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// A rollout as clients see it. Lists have neither `plan` nor anything after it.
///
/// @param wave number of the current one; 0 before the first
/// @param waves how many there are; 0 of a draft
/// @param waitingFor absent where it works, or waits for nothing
/// @param revision rises with each change of plan, rules or steering; also the ETag
/// @param plan all of it, also what nobody said; what may change while it runs as it is now
/// @param possible what a person may tell it now
/// @param lastDecision and why
@Serdeable
record RolloutView(
    String id,
    String title,
    @JsonProperty("package") String packageName,
    String version,
    String state,
    Optional<String> outcome,
    int wave,
    int waves,
    String createdBy,
    Instant createdAt,
    Optional<Instant> startAt,
    Optional<Instant> startedAt,
    Optional<Instant> endedAt,
    int priority,
    Optional<WaitView> waitingFor,
    long revision,
    LinksView links,
    Optional<Map<String, Object>> plan,
    Optional<List<String>> possible,
    Optional<String> pausedBy,
    Optional<String> abortedBy,
    Optional<CountsView> counts,
    Optional<List<WaveView>> waveList,
    Optional<DecisionView> lastDecision) {

  /// Where else it can be seen.
  @Serdeable
  record LinksView(Optional<String> temporal) {}

  /// What it waits for, if that is all it does.
  ///
  /// @param word for programs
  /// @param sentence for people
  /// @param until when that comes by itself, if it does
  @Serdeable
  record WaitView(String word, String sentence, Instant since, Optional<Instant> until) {
    static WaitView of(RolloutWait wait) {
      return new WaitView(wait.what().toString(), wait.sentence(), wait.since(), wait.until());
    }
  }

  /// A wave as it stands.
  ///
  /// @param state `pending`, `running`, `soaking`, `done`
  /// @param approval who said that it may begin, where that had to be
  @Serdeable
  record WaveView(
      int number,
      String title,
      String state,
      CountsView counts,
      Optional<ApprovalView> approval,
      Optional<Instant> beganAt,
      Optional<Instant> lastEndedAt,
      Optional<Instant> doneAt,
      Optional<String> doneBy) {}

  /// Who said that a wave may begin.
  @Serdeable
  record ApprovalView(String by, Instant at, String remark) {
    static ApprovalView of(WaveRow.Approval approval) {
      return new ApprovalView(approval.by(), approval.at(), approval.remark());
    }
  }
}
