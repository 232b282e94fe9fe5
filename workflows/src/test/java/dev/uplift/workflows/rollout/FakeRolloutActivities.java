package dev.uplift.workflows.rollout;

import dev.uplift.fleet.Release;
import dev.uplift.fleet.rollout.Decision;
import dev.uplift.fleet.rollout.Decision.Wait;
import dev.uplift.fleet.rollout.OperatorAction;
import dev.uplift.fleet.rollout.ResultCounts;
import dev.uplift.fleet.rollout.RolloutControl;
import dev.uplift.fleet.rollout.RolloutOutcome;
import dev.uplift.fleet.rollout.RolloutState;
import dev.uplift.fleet.rollout.TargetResult;
import dev.uplift.fleet.rollout.WaitReason;
import dev.uplift.fleet.rollout.decision.RecentStarts;
import dev.uplift.fleet.rollout.decision.RolloutSnapshot;
import dev.uplift.fleet.rollout.decision.SoakWatch;
import dev.uplift.fleet.rollout.decision.WaveCounts;
import dev.uplift.fleet.rollout.decision.WavePolicy;
import dev.uplift.fleet.rollout.decision.WaveRules;
import dev.uplift.fleet.rollout.plan.RolloutPlan;
import dev.uplift.fleet.rollout.plan.WaveSize;
import dev.uplift.fleet.rollout.plan.WaveSpec;
import io.temporal.activity.Activity;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.Stream;

/// A rollout in memory: a few counts per wave, and the real policy. Its devices follow the script of a test, or are
/// upgraded.
final class FakeRolloutActivities implements RolloutSteps, RolloutRecords {
  static final RolloutPlan PLAN = RolloutPlan.defaults(new Release("os", "1.5.0"), "true");

  private final Supplier<Instant> clock;
  private final List<FakeWave> waves = new ArrayList<>();
  private final List<TargetResult> results = new ArrayList<>();
  private final Queue<Supplier<Optional<Wait>>> script = new ConcurrentLinkedQueue<>();
  final List<String> calls = new ArrayList<>();
  final List<Instant> stepTimes = new ArrayList<>();
  final List<RolloutAction> actions = new ArrayList<>();

  /// Skipped time; activities take none on the test server.
  private Duration ahead = Duration.ZERO;

  private Optional<Instant> startAt = Optional.empty();
  private Optional<Instant> notAfter = Optional.empty();
  private RolloutState state = RolloutState.RUNNING;
  private RolloutControl control = RolloutControl.NONE;
  private Optional<Wait> waiting = Optional.empty();
  private Optional<RolloutOutcome> outcome = Optional.empty();
  private String message = "";
  private int current;
  private int mark;
  private Runnable runningUpgrades = () -> {};
  private final AtomicInteger stepFailures = new AtomicInteger();
  private final AtomicInteger recordFailures = new AtomicInteger();
  private long version;

  FakeRolloutActivities(Supplier<Instant> clock) {
    this.clock = clock;
  }

  FakeRolloutActivities wave(int devices) {
    return wave(devices, WaveSpec.of(new WaveSize.Rest()));
  }

  FakeRolloutActivities wave(int devices, WaveSpec spec) {
    waves.add(new FakeWave(spec, devices));
    return this;
  }

  FakeRolloutActivities startsAt(Instant time) {
    startAt = Optional.of(time);
    return this;
  }

  FakeRolloutActivities endsBy(Instant deadline) {
    notAfter = Optional.of(deadline);
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
        wave().pending -= devices;
        wave().running += devices;
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
    script.add(() -> Optional.of(new Wait(reason, Optional.of(now().plus(time)), reason + ": 3 devices")));
    return this;
  }

  private Instant now() {
    return clock.get().plus(ahead);
  }

  private FakeWave wave() {
    return waves.get(Math.max(current, 1) - 1);
  }

  private synchronized void end(int devices, TargetResult result) {
    FakeWave wave = wave();
    wave.pending -= devices;
    wave.ended.merge(result, devices, Integer::sum);
    wave.lastEndedAt = Optional.of(now());
    wave.watch = SoakWatch.NONE;
    for (int i = 0; i < devices; i++) {
      results.addFirst(result);
    }
    version += devices;
  }

  @Override
  public RolloutStatus upgradeWave(RolloutInput input) {
    beginStep("upgrade-wave");
    Optional<Wait> blocked = script.isEmpty() ? upgradeAll() : script.remove().get();
    return status().withIdle(blocked);
  }

  private Optional<Wait> upgradeAll() {
    end(wave().pending, TargetResult.UPGRADED);
    return Optional.empty();
  }

  @Override
  public RolloutStatus soakWave(RolloutInput input) {
    beginStep("soak-wave");
    if (script.isEmpty()) {
      ahead = ahead.plus(wave().spec.soak());
      wave().watch = new SoakWatch(wave().spec.soak(), Optional.of(now()), "");
    } else {
      var _ = script.remove().get();
    }
    return status();
  }

  @Override
  public RolloutStatus rollBackWave(RolloutInput input) {
    beginStep("roll-back-wave");
    synchronized (this) {
      FakeWave wave = wave();
      wave.ended.merge(TargetResult.ROLLED_BACK, wave.reverting, Integer::sum);
      wave.reverting = 0;
      change(control.rolledBack());
    }
    return status();
  }

  @Override
  public RolloutStatus finishRunning(RolloutInput input) {
    beginStep("finish-running");
    runningUpgrades.run();
    synchronized (this) {
      int running = wave().running;
      wave().running = 0;
      wave().pending += running;
      end(running, TargetResult.UPGRADED);
    }
    return status();
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
    beginIfDue();
    return status();
  }

  private void beginIfDue() {
    if (current == 0 && (startAt.filter(now()::isBefore).isEmpty() || control.abortedBy().isPresent())) {
      current = 1;
      startAt = Optional.empty();
      state = RolloutState.RUNNING;
    } else if (current == 0) {
      state = RolloutState.PLANNED;
    }
  }

  @Override
  public synchronized RolloutStatus recordDecision(RolloutInput input, int wave, Decision decision) {
    failIfLeft(recordFailures);
    calls.add(decision.code());
    if (wave == current && outcome.isEmpty()) {
      record(decision);
    }
    if (outcome.isEmpty() && WavePolicy.decide(snapshot()) instanceof Wait follows) {
      setState(follows);
    }
    return status();
  }

  private void record(Decision decision) {
    message = decision.message();
    switch (decision) {
      case Decision.Start _ -> throw new AssertionError(decision);
      case Wait wait -> setState(wait);
      case Decision.NextWave _ -> {
        current++;
        mark = results.size();
        waiting = Optional.empty();
        state = RolloutState.RUNNING;
        change(control.atNextWave());
      }
      case Decision.Pause pause -> change(control.paused("uplift: " + pause.message()));
      case Decision.Abort abort -> change(control.aborted("uplift: " + abort.message(), false));
      case Decision.RollBackWave back -> {
        FakeWave wave = wave();
        wave.reverting = Optional.ofNullable(wave.ended.remove(TargetResult.UPGRADED)).orElse(0);
        change(control.rollingBack(current, "uplift: " + back.message()));
      }
      case Decision.Finish finish -> {
        outcome = Optional.of(finish.outcome());
        state = RolloutState.ENDED;
      }
    }
  }

  private void setState(Wait wait) {
    waiting = Optional.of(wait);
    state = RolloutState.after(wait);
  }

  private void change(RolloutControl next) {
    control = next;
    version++;
  }

  @Override
  public synchronized AppliedAction applyAction(RolloutInput input, RolloutAction action) {
    boolean known = actions.stream().anyMatch(one -> one.id().equals(action.id()));
    if (action.reason().isEmpty()) {
      return new AppliedAction(new ActionResult(false, "say why"), Optional.of(status()));
    }
    if (!known) {
      actions.add(action);
      apply(action.action(), action.by());
      notifyAll();
    }
    return new AppliedAction(new ActionResult(true, action.action() + " by " + action.by()), Optional.of(status()));
  }

  private void apply(OperatorAction action, String by) {
    switch (action) {
      case PAUSE -> {
        change(control.paused(by));
        setState(new Wait(WaitReason.PAUSED, Optional.empty(), "paused by " + by));
      }
      case RESUME -> {
        change(control.resumed(by, wave().pending + wave().running == 0));
        mark = results.size();
        state = RolloutState.RUNNING;
        waiting = Optional.empty();
      }
      case ABORT -> {
        change(control.aborted(by, false));
        setState(new Wait(WaitReason.ABORTING, Optional.empty(), by));
      }
      case APPROVE -> {
        change(control.approved(by));
        state = RolloutState.RUNNING;
        waiting = Optional.empty();
      }
      default -> throw new AssertionError(action);
    }
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

  private RolloutStatus status() {
    return new RolloutStatus(
        version + current,
        state,
        waiting.map(Wait::reason),
        waiting.map(Wait::message).filter(_ -> outcome.isEmpty()).orElse(message),
        current == 0 ? startAt : Optional.empty(),
        snapshot(),
        outcome,
        Optional.empty());
  }

  private RolloutSnapshot snapshot() {
    FakeWave wave = wave();
    RolloutPlan plan = PLAN;
    WaveRules rules = WaveRules.of(plan, wave.spec, current, waves.size());
    return new RolloutSnapshot(
        new WaveRules(
            rules.number(),
            rules.waveCount(),
            rules.gate(),
            rules.soak(),
            rules.limits(),
            rules.thresholds(),
            notAfter),
        control,
        wave.counts(),
        new WaveCounts(0, 0, 0, 0, endedBefore()),
        waves.stream().skip(current).mapToInt(later -> later.pending).sum(),
        resultCounts(),
        RecentStarts.NONE,
        wave.reverting,
        wave.lastEndedAt,
        wave.watch,
        now());
  }

  private Map<TargetResult, Integer> endedBefore() {
    Map<TargetResult, Integer> ended = new EnumMap<>(TargetResult.class);
    waves.stream()
        .limit(Math.max(current - 1, 0))
        .forEach(wave -> wave.ended.forEach((result, n) -> ended.merge(result, n, Integer::sum)));
    return ended;
  }

  private ResultCounts resultCounts() {
    List<TargetResult> judged = results.subList(0, results.size() - mark);
    Map<TargetResult, Integer> counts = new EnumMap<>(TargetResult.class);
    judged.forEach(result -> counts.merge(result, 1, Integer::sum));
    return new ResultCounts(counts, judged);
  }

  /// Returns the calls that change devices or decide, without reads.
  List<String> story() {
    return Stream.of(calls).flatMap(List::stream).filter(call -> !call.equals("read-status")).toList();
  }
}
