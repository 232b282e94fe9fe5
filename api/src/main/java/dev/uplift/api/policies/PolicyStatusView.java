package dev.uplift.api.policies;

import dev.uplift.fleet.policy.PolicyDeviceState;
import dev.uplift.fleet.rollout.RolloutOutcome;
import dev.uplift.fleet.rollout.RolloutState;
import dev.uplift.services.policy.PolicyEvaluation;
import dev.uplift.store.policy.PolicyEvaluationRow;
import dev.uplift.store.policy.PolicyRow;
import dev.uplift.store.rollout.RolloutRow;
import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// How a policy stands.
///
/// @param enabled of a disabled one the rest says how it would stand
/// @param version that it brings now; absent if there is none
/// @param missing why it brings none
/// @param devices how many it applies to
/// @param complete whether each of them runs what it asks for; it goes on to watch them
/// @param completeSince since when
/// @param evaluatedAt when all devices were last looked at
/// @param counts how many are in each state
/// @param notSatisfied those that do not run what it asks for; the first of each state
/// @param overruledBy the policies that decide for a device of it, otherwise than it
/// @param overrules the policies that ask for something else on a device for which it decides
/// @param rollouts that it started, the newest first
@Serdeable
record PolicyStatusView(
    String name,
    boolean enabled,
    Optional<String> version,
    Optional<String> missing,
    int devices,
    boolean complete,
    Optional<Instant> completeSince,
    Optional<Instant> evaluatedAt,
    Map<String, Integer> counts,
    List<PolicyDeviceView> notSatisfied,
    List<String> overruledBy,
    List<String> overrules,
    List<StartedRolloutView> rollouts) {

  /// A rollout that a policy started.
  @Serdeable
  record StartedRolloutView(
      String id,
      String version,
      @Schema(implementation = RolloutState.class) String state,
      @Schema(implementation = RolloutOutcome.class) Optional<String> outcome,
      Instant createdAt,
      Optional<Instant> endedAt) {
    static StartedRolloutView of(RolloutRow row) {
      return new StartedRolloutView(
          row.name(),
          row.version(),
          row.state().toString(),
          row.outcome().map(RolloutOutcome::toString),
          row.createdAt(),
          row.endedAt());
    }
  }

  /// @param evaluation of now
  /// @param recorded of the last time that the policy itself looked at its devices
  static PolicyStatusView of(
      PolicyRow row,
      PolicyEvaluation evaluation,
      Optional<PolicyEvaluationRow> recorded,
      List<PolicyDeviceView> notSatisfied,
      List<RolloutRow> rollouts) {
    return new PolicyStatusView(
        row.name(),
        row.enabled(),
        evaluation.release().map(release -> release.version()),
        evaluation.missing(),
        evaluation.devices(),
        evaluation.isComplete(),
        recorded
            .filter(last -> evaluation.isComplete() && last.policyVersion() == row.version())
            .flatMap(PolicyEvaluationRow::completeSince),
        recorded.map(PolicyEvaluationRow::evaluatedAt),
        counts(evaluation),
        notSatisfied,
        List.copyOf(evaluation.overruledBy()),
        List.copyOf(evaluation.overrules()),
        rollouts.stream().map(StartedRolloutView::of).toList());
  }

  static Map<String, Integer> counts(PolicyEvaluation evaluation) {
    Map<String, Integer> counts = new TreeMap<>();
    for (PolicyDeviceState state : PolicyDeviceState.values()) {
      counts.put(state.toString(), evaluation.count(state));
    }
    return counts;
  }
}
