package dev.uplift.api.policies;

import dev.uplift.fleet.rollout.plan.PlanViolation;
import dev.uplift.services.policy.PolicyEvaluation;
import dev.uplift.services.rollout.PlanningResult;
import dev.uplift.services.rollout.RolloutPreview;
import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/// What a policy would do if it were enabled now.
///
/// @param version that it would bring; absent if there is none
/// @param missing why it would bring none
/// @param devices how many it would apply to
/// @param counts how many of them would be in each state
/// @param due how many it would begin with now
/// @param waves of the rollout that it would begin; empty if it would begin none
/// @param firstStartAt when the first device of that could start
/// @param overruledBy the policies that would decide for a device of it, otherwise than it
/// @param overrules the policies that ask for something else on a device for which it would decide
/// @param warnings for people
/// @param policy as it would be, defaults included
@Serdeable
record PolicyPreviewView(
    Optional<String> version,
    Optional<String> missing,
    int devices,
    Map<String, Integer> counts,
    int due,
    List<PolicyWaveView> waves,
    Optional<Instant> firstStartAt,
    List<String> overruledBy,
    List<String> overrules,
    List<String> warnings,
    @Schema(implementation = PolicyRequest.class) Map<String, Object> policy) {

  /// A wave of the rollout that would begin.
  ///
  /// @param sample the first few devices in the order of their starts
  @Serdeable
  record PolicyWaveView(int number, String title, int devices, List<String> sample) {}

  /// @param planned the rollout that would begin; empty if none
  static PolicyPreviewView of(
      PolicyEvaluation evaluation, Optional<PlanningResult> planned, Map<String, Object> policy) {
    Optional<RolloutPreview> preview =
        planned.flatMap(result ->
            result instanceof PlanningResult.Previewed(RolloutPreview found) ? Optional.of(found) : Optional.empty());
    List<String> faults =
        planned.stream()
            .flatMap(result ->
                result instanceof PlanningResult.Invalid(List<PlanViolation> violations)
                    ? violations.stream().map(PlanViolation::message)
                    : Stream.empty())
            .toList();
    return new PolicyPreviewView(
        evaluation.release().map(release -> release.version()),
        evaluation.missing(),
        evaluation.devices(),
        PolicyStatusView.counts(evaluation),
        evaluation.due().size(),
        preview.stream()
            .flatMap(found -> found.waves().stream())
            .map(wave -> new PolicyWaveView(wave.number(), wave.title(), wave.devices(), wave.sample()))
            .toList(),
        preview.map(RolloutPreview::firstStart),
        List.copyOf(evaluation.overruledBy()),
        List.copyOf(evaluation.overrules()),
        Stream.concat(preview.stream().flatMap(found -> found.warnings().stream()), faults.stream()).toList(),
        policy);
  }
}
