package dev.uplift.activities.policy;

import dev.uplift.activities.policy.PolicyRolloutStarter.Begun;
import dev.uplift.activities.temporal.ActivityFailures;
import dev.uplift.activities.temporal.PolicyScheduleClient;
import dev.uplift.activities.temporal.PolicyWorkflowClient;
import dev.uplift.activities.temporal.TemporalUnavailable;
import dev.uplift.fleet.policy.PolicyDeviceState;
import dev.uplift.fleet.policy.PolicyDeviceStatus;
import dev.uplift.fleet.policy.PolicyId;
import dev.uplift.services.policy.PolicyEvaluation;
import dev.uplift.services.policy.PolicyEvaluator;
import dev.uplift.services.policy.PolicyJson;
import dev.uplift.services.policy.PolicyRepositories;
import dev.uplift.store.DatabaseUnavailable;
import dev.uplift.store.audit.AuditEntry;
import dev.uplift.store.policy.PolicyEvaluationRow;
import dev.uplift.store.policy.PolicyRow;
import dev.uplift.workflows.policy.PolicyInput;
import dev.uplift.workflows.policy.PolicyReport;
import dev.uplift.workflows.policy.PolicySteps;
import io.temporal.activity.Activity;
import io.temporal.activity.ActivityExecutionContext;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/// Looks at the devices of a policy, and begins the rollouts that follow. Sends a heartbeat after each page of devices,
/// where a cancelled activity ends; and while it begins something, which goes on to its end.
@Singleton
public final class PolicyStepsActivities implements PolicySteps {
  /// Several in the time after which Temporal gives the activity up.
  private static final Duration HEARTBEAT_INTERVAL = Duration.ofSeconds(10);

  /// After a rollout has refused what a policy asks of it, as while a wave is rolled back.
  private static final Duration REFUSED_INTERVAL = Duration.ofSeconds(30);

  private final PolicyRepositories tables;
  private final PolicyEvaluator evaluator;
  private final PolicyRolloutStarter rollouts;
  private final PolicyWorkflowClient workflows;
  private final PolicyScheduleClient schedules;

  public PolicyStepsActivities(
      PolicyRepositories tables,
      PolicyEvaluator evaluator,
      PolicyRolloutStarter rollouts,
      PolicyWorkflowClient workflows,
      PolicyScheduleClient schedules) {
    this.tables = tables;
    this.evaluator = evaluator;
    this.rollouts = rollouts;
    this.workflows = workflows;
    this.schedules = schedules;
  }

  @Override
  public PolicyReport enforce(PolicyInput input) {
    return enforceOnAll(input, evaluator::evaluate);
  }

  @Override
  public PolicyReport run(PolicyInput input) {
    return enforceOnAll(input, evaluator::evaluateRun);
  }

  @FunctionalInterface
  private interface FullEvaluation {
    PolicyEvaluation of(PolicyRow row, Consumer<PolicyDeviceStatus> receiver, Runnable afterPage);
  }

  private PolicyReport enforceOnAll(PolicyInput input, FullEvaluation all) {
    ActivityExecutionContext context = Activity.getExecutionContext();
    int[] pages = {0};
    return retryable(() ->
        enforce(
            input,
            row -> {
              PolicyEvaluation evaluation =
                  all.of(row, _ -> {}, () -> context.heartbeat("pages of devices: " + ++pages[0]));
              record(row, evaluation);
              return evaluation;
            }));
  }

  @Override
  public String requestRun(PolicyInput input) {
    PolicyId id = new PolicyId(input.tenant(), input.policy());
    return retryable(() -> {
      Optional<PolicyRow> row =
          tables
              .policies()
              .find(id)
              .filter(policy -> policy.enabled() && PolicyJson.read(policy.spec()).cron().isPresent());
      if (row.isEmpty()) {
        schedules.remove(id);
        return "the policy does not begin in runs any more; its schedule is removed";
      }
      workflows.beginRun(row.get());
      return "the policy begins a run";
    });
  }

  @Override
  public PolicyReport enforceOnDevices(PolicyInput input, List<String> devices) {
    return retryable(() -> enforce(input, row -> evaluator.evaluate(row, devices, _ -> {})));
  }

  private static <T> T retryable(Supplier<T> work) {
    try {
      return work.get();
    } catch (DatabaseUnavailable | TemporalUnavailable e) {
      throw ActivityFailures.retryable(e).build();
    }
  }

  private PolicyReport enforce(PolicyInput input, Function<PolicyRow, PolicyEvaluation> evaluation) {
    PolicyId id = new PolicyId(input.tenant(), input.policy());
    Optional<PolicyRow> row = tables.policies().find(id).filter(PolicyRow::enabled);
    return row.isEmpty()
        ? PolicyReport.disabled(withHeartbeats(() -> rollouts.stopAll(id)))
        : report(evaluation.apply(row.get()), found -> withHeartbeats(() -> rollouts.begin(row.get(), found)));
  }

  /// A rollout over a hundred thousand devices takes a while to create.
  private static <T> T withHeartbeats(Supplier<T> work) {
    ActivityExecutionContext context = Activity.getExecutionContext();
    return BackgroundHeartbeat.during(HEARTBEAT_INTERVAL, () -> context.heartbeat("begins rollouts"), work);
  }

  private static PolicyReport report(PolicyEvaluation evaluation, Function<PolicyEvaluation, Begun> begin) {
    Map<String, Integer> counts = new TreeMap<>();
    for (PolicyDeviceState state : PolicyDeviceState.values()) {
      if (evaluation.count(state) > 0) {
        counts.put(state.toString(), evaluation.count(state));
      }
    }
    Begun begun = begin.apply(evaluation);
    return new PolicyReport(
        true,
        counts,
        begun.message(),
        begun.isIncomplete()
            ? earlier(evaluation.nextChange(), Instant.now().plus(REFUSED_INTERVAL))
            : evaluation.nextChange());
  }

  private static Optional<Instant> earlier(Optional<Instant> one, Instant other) {
    return one.filter(other::isAfter).or(() -> Optional.of(other));
  }

  /// Conflicts are audited when others appear or when they are gone, not at each evaluation.
  private void record(PolicyRow row, PolicyEvaluation evaluation) {
    List<String> conflicts = List.copyOf(evaluation.overruledBy());
    var _ =
        tables
            .rollouts()
            .database()
            .inTransaction(() -> {
              List<String> before =
                  tables.evaluations().find(row.id()).map(PolicyEvaluationRow::conflicts).orElse(List.of());
              tables.evaluations().record(row, evaluation.isComplete(), conflicts);
              if (!conflicts.equals(before)) {
                tables.rollouts().audit().append(conflictEntry(row, evaluation, conflicts));
              }
              return conflicts;
            });
  }

  private static AuditEntry conflictEntry(PolicyRow row, PolicyEvaluation evaluation, List<String> conflicts) {
    int devices = evaluation.count(PolicyDeviceState.CONFLICT);
    return new AuditEntry(
        row.tenant(),
        row.id().actor(),
        "policy.conflict",
        "policy/" + row.name(),
        "",
        conflicts.isEmpty()
            ? "no other policy decides for its devices any more"
            : "overruled on %d devices by %s".formatted(devices, String.join(", ", conflicts)));
  }
}
