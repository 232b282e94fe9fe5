package dev.uplift.api.policies;

import dev.uplift.api.problem.ProblemException;
import dev.uplift.api.problem.RequestError;
import dev.uplift.fleet.policy.PolicyDeviceState;
import dev.uplift.fleet.policy.PolicyDeviceStatus;
import dev.uplift.fleet.policy.PolicyId;
import dev.uplift.fleet.rollout.Phrases;
import dev.uplift.services.policy.PolicyEvaluation;
import dev.uplift.services.policy.PolicyEvaluator;
import dev.uplift.services.policy.PolicyEvaluator.SelectedCount;
import dev.uplift.services.policy.PolicyRepositories;
import dev.uplift.services.policy.PolicySpec;
import dev.uplift.services.rollout.PlanningResult;
import dev.uplift.services.rollout.RolloutPlanner;
import dev.uplift.services.selection.CompiledSelection;
import dev.uplift.services.selection.Selection;
import dev.uplift.store.policy.NewPolicy;
import dev.uplift.store.policy.PolicyRow;
import jakarta.inject.Singleton;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Looks at devices for the requests about policies.
@Singleton
final class PolicyService {
  /// Of a state; the counts say how many there are.
  private static final int MAX_SHOWN = 100;

  private static final int MAX_ROLLOUTS_SHOWN = 10;

  private final PolicyRepositories tables;
  private final PolicyEvaluator evaluator;
  private final RolloutPlanner planner;

  PolicyService(PolicyRepositories tables, PolicyEvaluator evaluator, RolloutPlanner planner) {
    this.tables = tables;
    this.evaluator = evaluator;
    this.planner = planner;
  }

  PolicyRow find(PolicyId id) {
    return tables
        .policies()
        .find(id)
        .orElseThrow(() -> ProblemException.notFound("there is no policy %s in %s".formatted(id.name(), id.tenant())));
  }

  /// Refuses a selection that takes all devices, unless that is confirmed. One that happens to take the only device is
  /// none of these; one that is true whatever the device always is.
  void requireConfirmed(PolicyId id, PolicySpec spec) {
    if (spec.everything()) {
      return;
    }
    SelectedCount count = evaluator.countSelected(id.tenant(), spec.selection());
    boolean takesAll = count.all() > 1 && count.selected() == count.all();
    if (takesAll || isTrueOfEveryDevice(spec.selection())) {
      throw ProblemException.unprocessable(
          List.of(
              RequestError.atPointer(
                  "/everything",
                  "the selection takes all %s; expected true to confirm that"
                      .formatted(Phrases.devices(count.all())))));
    }
  }

  private static boolean isTrueOfEveryDevice(String expression) {
    return Selection.compile(expression) instanceof CompiledSelection.Valid(Selection selection)
        && selection.isTrueOfEveryDevice();
  }

  /// Returns what a policy would do if it were enabled now; one that begins in runs: what it would do in a run.
  PolicyPreviewView previewEnabled(PolicyId id, PolicyRequest request) {
    return preview(id, request, Instant.now());
  }

  /// Returns what a policy would do after a change. One that is enabled already stays enabled since then, which decides
  /// whether it overrules others.
  PolicyPreviewView previewChanged(PolicyId id, PolicyRequest request) {
    Instant enabledAt =
        tables.policies().find(id).filter(PolicyRow::enabled).flatMap(PolicyRow::enabledAt).orElseGet(Instant::now);
    return preview(id, request, enabledAt);
  }

  private PolicyPreviewView preview(PolicyId id, PolicyRequest request, Instant enabledAt) {
    NewPolicy policy = request.policy(id);
    PolicyRow row = asIfEnabled(policy, enabledAt);
    PolicyEvaluation evaluation = evaluator.evaluateRun(row, _ -> {}, () -> {});
    Optional<PlanningResult> planned =
        evaluation
            .release()
            .filter(_ -> !evaluation.due().isEmpty())
            .map(release ->
                planner.preview(
                    policy.id().rollout("preview"),
                    request.spec().rolloutOf(policy.id().name(), release, policy.priority()),
                    evaluation.due()));
    return PolicyPreviewView.of(evaluation, planned, request.toMap());
  }

  private static PolicyRow asIfEnabled(NewPolicy policy, Instant enabledAt) {
    return new PolicyRow(
        policy.id().tenant(),
        policy.id().name(),
        policy.title(),
        policy.description(),
        policy.packageName(),
        true,
        Optional.of(enabledAt),
        policy.priority(),
        policy.spec(),
        0,
        "",
        enabledAt,
        "",
        enabledAt);
  }

  PolicyStatusView status(PolicyRow row) {
    Map<PolicyDeviceState, Integer> shown = new EnumMap<>(PolicyDeviceState.class);
    List<PolicyDeviceView> notSatisfied = new ArrayList<>();
    PolicyEvaluation evaluation =
        evaluator.evaluate(
            row,
            status -> {
              if (status.state() != PolicyDeviceState.SATISFIED
                  && shown.merge(status.state(), 1, Integer::sum) <= MAX_SHOWN) {
                notSatisfied.add(PolicyDeviceView.of(status));
              }
            },
            () -> {});
    return PolicyStatusView.of(
        row,
        evaluation,
        tables.evaluations().find(row.id()),
        notSatisfied,
        tables.ofPolicies().findNewest(row.id(), MAX_ROLLOUTS_SHOWN));
  }

  /// Returns the enabled policies that apply to a device.
  List<DevicePolicyView> ofDevice(String tenant, String device) {
    List<DevicePolicyView> found = new ArrayList<>();
    for (PolicyRow row : tables.policies().findEnabledOfTenant(tenant)) {
      List<PolicyDeviceStatus> statuses = new ArrayList<>();
      PolicyEvaluation _ = evaluator.evaluate(row, List.of(device), statuses::add);
      statuses.forEach(status -> found.add(DevicePolicyView.of(row, status)));
    }
    return found;
  }
}
