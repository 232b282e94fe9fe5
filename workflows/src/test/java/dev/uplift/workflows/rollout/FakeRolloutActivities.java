package dev.uplift.workflows.rollout;

import dev.uplift.fleet.rollout.Decision;
import dev.uplift.fleet.rollout.Decision.Wait;
import dev.uplift.fleet.rollout.TargetResult;
import dev.uplift.fleet.rollout.WaitReason;
import dev.uplift.fleet.rollout.plan.WaveSize;
import dev.uplift.fleet.rollout.plan.WaveSpec;
import io.temporal.activity.Activity;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.Stream;

/// The activities of a rollout in memory. Its devices follow the script of a test, or are upgraded.
final class FakeRolloutActivities implements RolloutSteps, RolloutRecords {
  private final Supplier<Instant> clock;
  private final FakeRollout rollout;
  private final Queue<Supplier<Optional<Wait>>> script = new ConcurrentLinkedQueue<>();
  final List<String> calls = new ArrayList<>();
  final List<Instant> stepTimes = new ArrayList<>();
  final List<RolloutAction> actions = new ArrayList<>();

  private Runnable runningUpgrades = () -> {};
  private final AtomicInteger stepFailures = new AtomicInteger();
  private final AtomicInteger recordFailures = new AtomicInteger();

  FakeRolloutActivities(Supplier<Instant> clock) {
    this.clock = clock;
    rollout = new FakeRollout(clock);
  }

  FakeRolloutActivities wave(int devices) {
    return wave(devices, WaveSpec.of(new WaveSize.Rest()));
  }

  FakeRolloutActivities wave(int devices, WaveSpec spec) {
    rollout.addWave(new FakeWave(spec, devices));
    return this;
  }

  FakeRolloutActivities startsAt(Instant time) {
    rollout.startsAt(time);
    return this;
  }

  FakeRolloutActivities endsBy(Instant deadline) {
    rollout.endsBy(deadline);
    return this;
  }

  /// Makes the next calls of steps throw an exception.
  void fail(int times) {
    stepFailures.set(times);
  }

  /// Makes the next calls of the records throw an exception.
  void failRecords(int times) {
    recordFailures.set(times);
  }

  private static void failIfLeft(AtomicInteger failures) {
    if (failures.getAndUpdate(left -> Math.max(left - 1, 0)) > 0) {
      throw new IllegalStateException("the database is unavailable");
    }
  }

  /// Makes the next call end some devices with this result, and return.
  FakeRolloutActivities ends(int devices, TargetResult result) {
    script.add(() -> {
      end(devices, result);
      return Optional.empty();
    });
    return this;
  }

  /// Makes the next call start some devices, which run until [#finishRunning], then call `meanwhile` and return.
  FakeRolloutActivities starts(int devices, Runnable meanwhile) {
    script.add(() -> {
      synchronized (this) {
        rollout.start(devices);
      }
      meanwhile.run();
      return Optional.empty();
    });
    return this;
  }

  /// Makes upgrades that run end when `work` does.
  FakeRolloutActivities runs(Runnable work) {
    runningUpgrades = work;
    return this;
  }

  /// Makes the next call work until it is cancelled.
  FakeRolloutActivities worksUntilCancelled() {
    script.add(() -> {
      var cancelled = new CountDownLatch(1);
      try {
        // A heartbeat throws once it was cancelled.
        while (!cancelled.await(50, TimeUnit.MILLISECONDS)) {
          Activity.getExecutionContext().heartbeat("works");
        }
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
      return Optional.empty();
    });
    return this;
  }

  /// Makes the next call find no device that may start before then.
  FakeRolloutActivities isBlocked(WaitReason reason, Duration time) {
    script.add(() -> Optional.of(new Wait(reason, Optional.of(rollout.now().plus(time)), reason + ": 3 devices")));
    return this;
  }

  private synchronized void end(int devices, TargetResult result) {
    rollout.end(devices, result);
  }

  @Override
  public RolloutStatus upgradeWave(RolloutInput input) {
    beginStep("upgrade-wave");
    Optional<Wait> blocked = script.isEmpty() ? upgradeAll() : script.remove().get();
    return rollout.status().withIdle(blocked);
  }

  private Optional<Wait> upgradeAll() {
    end(rollout.wave().pending, TargetResult.UPGRADED);
    return Optional.empty();
  }

  @Override
  public RolloutStatus soakWave(RolloutInput input) {
    beginStep("soak-wave");
    if (script.isEmpty()) {
      rollout.soak();
    } else {
      var _ = script.remove().get();
    }
    return rollout.status();
  }

  @Override
  public RolloutStatus rollBackWave(RolloutInput input) {
    beginStep("roll-back-wave");
    synchronized (this) {
      rollout.rollBack();
    }
    return rollout.status();
  }

  @Override
  public RolloutStatus finishRunning(RolloutInput input) {
    beginStep("finish-running");
    runningUpgrades.run();
    synchronized (this) {
      rollout.endRunning();
    }
    return rollout.status();
  }

  private synchronized void beginStep(String name) {
    calls.add(name);
    stepTimes.add(clock.get());
    failIfLeft(stepFailures);
  }

  @Override
  public synchronized RolloutStatus readStatus(RolloutInput input) {
    failIfLeft(recordFailures);
    calls.add("read-status");
    rollout.beginIfDue();
    return rollout.status();
  }

  @Override
  public synchronized RolloutStatus recordDecision(RolloutInput input, int wave, Decision decision) {
    failIfLeft(recordFailures);
    calls.add(decision.code());
    rollout.record(wave, decision);
    return rollout.status();
  }

  @Override
  public synchronized AppliedAction applyAction(RolloutInput input, RolloutAction action) {
    boolean known = actions.stream().anyMatch(one -> one.id().equals(action.id()));
    if (action.reason().isEmpty()) {
      return new AppliedAction(new ActionResult(false, "say why"), Optional.of(rollout.status()));
    }
    if (!known) {
      actions.add(action);
      rollout.apply(action.action(), action.by());
      notifyAll();
    }
    return new AppliedAction(
        new ActionResult(true, action.action() + " by " + action.by()), Optional.of(rollout.status()));
  }

  /// Blocks until this many actions were applied.
  synchronized void awaitActions(int count) {
    try {
      while (actions.size() < count) {
        wait();
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /// Returns the calls that change devices or decide, without reads.
  List<String> story() {
    return Stream.of(calls).flatMap(List::stream).filter(call -> !call.equals("read-status")).toList();
  }
}
