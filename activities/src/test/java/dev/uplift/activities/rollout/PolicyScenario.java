package dev.uplift.activities.rollout;

import static org.awaitility.Awaitility.await;

import dev.uplift.activities.temporal.PolicyScheduleClient;
import dev.uplift.activities.temporal.PolicySignals;
import dev.uplift.activities.temporal.PolicyWorkflowClient;
import dev.uplift.fleet.HostId;
import dev.uplift.fleet.Release;
import dev.uplift.fleet.RollbackScope;
import dev.uplift.fleet.policy.PolicyDeviceStatus;
import dev.uplift.fleet.policy.PolicyId;
import dev.uplift.fleet.policy.PolicyRepeat;
import dev.uplift.fleet.policy.PolicyStart;
import dev.uplift.fleet.policy.PolicyTarget;
import dev.uplift.fleet.policy.UnknownVersion;
import dev.uplift.fleet.rollout.TargetState;
import dev.uplift.fleet.rollout.plan.RolloutPlan;
import dev.uplift.fleet.rollout.plan.WaveSize;
import dev.uplift.fleet.rollout.plan.WaveSpec;
import dev.uplift.fleet.window.Window;
import dev.uplift.services.TestReleases;
import dev.uplift.services.TestStacks;
import dev.uplift.services.policy.PolicyEvaluator;
import dev.uplift.services.policy.PolicyJson;
import dev.uplift.services.policy.PolicyRepositories;
import dev.uplift.services.policy.PolicySpec;
import dev.uplift.services.rollout.RolloutSpec;
import dev.uplift.store.device.HeartbeatRow;
import dev.uplift.store.policy.NewPolicy;
import dev.uplift.store.policy.PolicyEvaluationRow;
import dev.uplift.store.policy.PolicyRow;
import dev.uplift.store.rollout.RolloutRow;
import dev.uplift.store.rollout.TargetRow;
import dev.uplift.workflows.policy.PolicyEnforcement;
import dev.uplift.workflows.policy.PolicyInput;
import dev.uplift.workflows.policy.PolicyReport;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;

/// Policies on a real Temporal, over hosts that are played. Each test has devices and policies of its own.
abstract class PolicyScenario extends RolloutScenario {
  protected static final Release OLD = new Release("os", "1.4.0");
  protected static final Release NEWER = new Release("os", "1.6.0");

  protected PolicyRepositories tables;
  protected PolicyWorkflowClient workflows;
  protected PolicyScheduleClient schedules;
  protected PolicySignals signals;

  @BeforeEach
  void publishReleases() {
    tables = worker.policies();
    workflows = new PolicyWorkflowClient(worker.temporal());
    schedules = new PolicyScheduleClient(worker.temporal());
    signals = new PolicySignals(tables, workflows, schedules);
    TestReleases.publish(worker.repositories.common(), OLD, 140);
    TestReleases.publish(worker.repositories.common(), NEWER, 160);
  }

  protected PolicyId put(String name, String fleet, PolicyTarget target, int priority) {
    return put(name, fleet, target, priority, new PolicyRepeat.Always(), List.of());
  }

  protected PolicyId put(
      String name, String fleet, PolicyTarget target, int priority, PolicyRepeat repeat, List<Window> windows) {
    RolloutPlan plan =
        with(
            RolloutTestWorker.plan(fleet),
            List.of(WaveSpec.of(new WaveSize.Count(50)), WaveSpec.of(new WaveSize.Rest())),
            limits(1));
    return put(name, fleet, target, priority, repeat, plan.withWindows(windows));
  }

  protected PolicyId put(
      String name, String fleet, PolicyTarget target, int priority, PolicyRepeat repeat, RolloutPlan plan) {
    var id = new PolicyId(TestStacks.TENANT, name);
    var spec =
        new PolicySpec(
            target,
            "labels.fleet == '%s'".formatted(fleet),
            false,
            false,
            PolicyStart.NOW,
            repeat,
            UnknownVersion.LEAVE,
            new RolloutSpec("", plan, RollbackScope.DEVICE, Duration.ZERO, false));
    tables.policies().put(new NewPolicy(id, "", "", "os", priority, PolicyJson.write(spec)), "ann");
    return id;
  }

  protected static List<String> upgradedIn(RolloutRow rollout) {
    return worker.targets(rollout.id()).stream()
        .filter(target -> target.result().equals(upgraded()))
        .map(TargetRow::device)
        .toList();
  }

  protected PolicyId enable(String fleet, PolicyTarget target, int priority) {
    PolicyId id = put(fleet, fleet, target, priority);
    enable(id);
    return id;
  }

  /// Enables them in this order; the workflow of the first is started when all are.
  protected void enable(PolicyId... ids) {
    for (PolicyId id : ids) {
      tables.policies().setEnabled(id, true, "ann");
    }
    workflows.startOrRecheck(row(ids[0]));
  }

  protected static List<String> in(TargetState state, RolloutRow rollout) {
    return worker.targets(rollout.id()).stream()
        .filter(target -> target.state() == state)
        .map(TargetRow::device)
        .toList();
  }

  /// Has all devices of the policy looked at.
  protected void look(PolicyId policy) {
    Instant before = Instant.now();
    workflows.recheck(policy);
    await().atMost(RolloutTestWorker.TIMEOUT).until(() -> isEvaluatedSince(policy, before));
  }

  protected PolicyReport report(PolicyId policy) {
    return worker
        .temporal()
        .requestClient()
        .newWorkflowStub(PolicyEnforcement.class, PolicyInput.workflowId(policy.tenant(), policy.name()))
        .report()
        .orElseThrow();
  }

  protected void disable(PolicyId id) {
    tables.policies().setEnabled(id, false, "ann");
    workflows.recheck(id);
    await().atMost(RolloutTestWorker.TIMEOUT).until(() -> !workflows.isRunning(id));
  }

  protected RolloutRow awaitRollout(PolicyId policy, Release release, int count) {
    await().atMost(RolloutTestWorker.TIMEOUT).until(() -> tables.ofPolicies().count(policy, release) == count);
    return tables.ofPolicies().findNewest(policy, release).orElseThrow();
  }

  protected PolicyRow row(PolicyId id) {
    return tables.policies().find(id).orElseThrow();
  }

  protected Optional<PolicyEvaluationRow> evaluation(PolicyId id) {
    return tables.evaluations().find(id);
  }

  protected boolean isEvaluatedSince(PolicyId id, Instant time) {
    return evaluation(id).filter(last -> !last.evaluatedAt().isBefore(time)).isPresent();
  }

  protected List<PolicyDeviceStatus> states(PolicyId id) {
    List<PolicyDeviceStatus> states = new ArrayList<>();
    var _ = new PolicyEvaluator(tables, worker.presence).evaluate(row(id), states::add, () -> {});
    return states;
  }

  /// The hosts of these devices say that they run the release.
  protected static void run(Release release, String... devices) {
    Instant now = Instant.now();
    for (String device : devices) {
      worker
          .repositories
          .common()
          .hosts()
          .recordHeartbeats(
              List.of(
                  new HeartbeatRow(
                      TestStacks.TENANT,
                      new HostId(device + "-left"),
                      "instance",
                      "boot-1",
                      "running",
                      new TreeMap<>(Map.of(release.packageName(), release.version())),
                      now)));
    }
  }
}
