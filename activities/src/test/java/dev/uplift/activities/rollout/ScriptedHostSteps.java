package dev.uplift.activities.rollout;

import dev.uplift.fleet.ErrorClass;
import dev.uplift.fleet.HostId;
import dev.uplift.fleet.HostState;
import dev.uplift.workflows.device.HostObservation;
import dev.uplift.workflows.device.HostSteps;
import dev.uplift.workflows.device.StepRequest;
import dev.uplift.workflows.device.StepResult;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/// Hosts that complete each step at once, except those that fail or are blocked by the test.
final class ScriptedHostSteps implements HostSteps {
  private static final String BEFORE = "1.4.0";

  private final Set<String> failing = ConcurrentHashMap.newKeySet();
  private final Set<String> failingOnce = ConcurrentHashMap.newKeySet();
  private final List<String> prepared = new CopyOnWriteArrayList<>();
  private final Set<String> withoutPreviousVersion = ConcurrentHashMap.newKeySet();
  private final Map<HostId, String> versions = new ConcurrentHashMap<>();
  private final List<String> rolledBack = new CopyOnWriteArrayList<>();
  private final List<Moment> moments = new CopyOnWriteArrayList<>();
  private final List<String> upgraded = new CopyOnWriteArrayList<>();
  private volatile CountDownLatch prepareGate = new CountDownLatch(0);
  private volatile CountDownLatch rollbackGate = new CountDownLatch(0);

  /// The start or end of the work of a device for an upgrade.
  private record Moment(String device, String upgrade, boolean begins) {}

  /// Makes upgrades of these devices fail from now on, before a host is changed.
  void fail(String... devices) {
    failing.addAll(List.of(devices));
  }

  /// Makes these devices fail once, with a retryable error.
  void failOnce(String... devices) {
    failingOnce.addAll(List.of(devices));
  }

  void repair() {
    failing.clear();
    failingOnce.clear();
    withoutPreviousVersion.clear();
  }

  /// Makes the host of the device run what it ran before all upgrades.
  void reinstall(String device) {
    var _ = versions.remove(new HostId(device + "-left"));
  }

  /// Makes these devices lose the version to roll back to.
  void forgetPreviousVersion(String... devices) {
    withoutPreviousVersion.addAll(List.of(devices));
  }

  /// Blocks the preparation of every host from now on.
  void blockPrepare() {
    prepareGate = new CountDownLatch(1);
  }

  void unblock() {
    prepareGate.countDown();
    rollbackGate.countDown();
  }

  /// Blocks the rollback of every host from now on.
  void blockRollback() {
    rollbackGate = new CountDownLatch(1);
  }

  /// Returns the maximum number of concurrent upgrades of matching devices.
  long maxConcurrent(Predicate<String> which) {
    Set<String> now = new HashSet<>();
    long most = 0;
    for (Moment moment : moments) {
      if (moment.begins() && which.test(moment.device())) {
        now.add(moment.upgrade());
      } else {
        now.remove(moment.upgrade());
      }
      most = Math.max(most, now.size());
    }
    return most;
  }

  private void recordBegin(StepRequest stepRequest) {
    moments.add(new Moment(stepRequest.device().name(), stepRequest.upgrade(), true));
  }

  private StepResult recordEnd(StepRequest stepRequest, StepResult stepResult) {
    moments.add(new Moment(stepRequest.device().name(), stepRequest.upgrade(), false));
    return stepResult;
  }

  /// Returns the ids of the upgrades that were asked to prepare, in that order.
  List<String> prepared() {
    return List.copyOf(prepared);
  }

  /// Returns the ids of the upgrades that were asked to roll back, in that order.
  List<String> rolledBack() {
    return List.copyOf(rolledBack);
  }

  /// Returns the ids of the upgrades that were asked to upgrade, in that order.
  List<String> upgraded() {
    return List.copyOf(upgraded);
  }

  private static void awaitGate(CountDownLatch gate) {
    try {
      if (!gate.await(60, TimeUnit.SECONDS)) {
        throw new IllegalStateException("blocked for too long");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  @Override
  public StepResult prepare(StepRequest stepRequest) {
    prepared.add(stepRequest.upgrade());
    recordBegin(stepRequest);
    awaitGate(prepareGate);
    if (failingOnce.contains(stepRequest.device().name()) && stepRequest.upgrade().endsWith(".1")) {
      return recordEnd(stepRequest, new StepResult.Failed("no-network", ErrorClass.DECLINED, "try me later"));
    }
    return failing.contains(stepRequest.device().name())
        ? recordEnd(stepRequest, new StepResult.Failed("disk-full", ErrorClass.FINAL, "/var: 12 MB left"))
        : runs(version(stepRequest));
  }

  @Override
  public StepResult upgrade(StepRequest stepRequest) {
    versions.put(stepRequest.host(), stepRequest.targetVersion());
    upgraded.add(stepRequest.upgrade());
    return runs(stepRequest.targetVersion());
  }

  @Override
  public StepResult reboot(StepRequest stepRequest) {
    return runs(stepRequest.targetVersion());
  }

  @Override
  public StepResult awaitSuccessor(StepRequest stepRequest) {
    return runs(stepRequest.targetVersion());
  }

  @Override
  public StepResult stop(StepRequest stepRequest) {
    return runs(stepRequest.targetVersion());
  }

  @Override
  public StepResult awaitHost(StepRequest stepRequest) {
    return runs(version(stepRequest));
  }

  @Override
  public StepResult awaitHeartbeat(StepRequest stepRequest) {
    return recordEnd(stepRequest, runs(stepRequest.targetVersion()));
  }

  @Override
  public StepResult commit(StepRequest stepRequest) {
    return runs(stepRequest.targetVersion());
  }

  @Override
  public StepResult rollback(StepRequest stepRequest) {
    if (withoutPreviousVersion.contains(stepRequest.device().name())) {
      return new StepResult.Failed("version-not-found", ErrorClass.DECLINED, "1.4.0 is no longer installed");
    }
    rolledBack.add(stepRequest.upgrade());
    recordBegin(stepRequest);
    awaitGate(rollbackGate);
    versions.put(stepRequest.host(), stepRequest.targetVersion());
    return runs(stepRequest.targetVersion());
  }

  @Override
  public StepResult inspect(StepRequest stepRequest) {
    return runs(version(stepRequest));
  }

  private String version(StepRequest stepRequest) {
    return version(stepRequest.host());
  }

  /// Returns the version that the host runs.
  String version(HostId host) {
    return versions.getOrDefault(host, BEFORE);
  }

  @Override
  public HostObservation observe(StepRequest stepRequest) {
    Instant now = Instant.now();
    return new HostObservation(Optional.empty(), Optional.empty(), false, now, now.minus(Duration.ofHours(1)));
  }

  @Override
  public void cancel(StepRequest stepRequest, StepRequest inWork) {
    unblock();
  }

  private static StepResult runs(String version) {
    return new StepResult.Done(new HostState(version, "", "boot-1", false));
  }
}
