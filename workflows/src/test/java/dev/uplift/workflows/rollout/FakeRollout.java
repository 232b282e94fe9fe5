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
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/// A rollout in memory: a few counts per wave, and the real policy. It has no lock of its own: [FakeRolloutActivities]
/// locks itself.
final class FakeRollout {
  static final RolloutPlan PLAN = RolloutPlan.defaults(new Release("os", "1.5.0"), "true");

  private final Supplier<Instant> clock;
  private final List<FakeWave> waves = new ArrayList<>();
  private final List<TargetResult> results = new ArrayList<>();

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
  private long version;

  FakeRollout(Supplier<Instant> clock) {
    this.clock = clock;
  }

  void addWave(FakeWave wave) {
    waves.add(wave);
  }

  void startsAt(Instant time) {
    startAt = Optional.of(time);
  }

  void endsBy(Instant deadline) {
    notAfter = Optional.of(deadline);
  }

  Instant now() {
    return clock.get().plus(ahead);
  }

  /// Returns the wave that runs, or the first.
  FakeWave wave() {
    return waves.get(Math.max(current, 1) - 1);
  }

  void start(int devices) {
    wave().pending -= devices;
    wave().running += devices;
  }

  void end(int devices, TargetResult result) {
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

  void endRunning() {
    int running = wave().running;
    wave().running = 0;
    wave().pending += running;
    end(running, TargetResult.UPGRADED);
  }

  void soak() {
    ahead = ahead.plus(wave().spec.soak());
    wave().watch = new SoakWatch(wave().spec.soak(), Optional.of(now()), "");
  }

  void rollBack() {
    FakeWave wave = wave();
    wave.ended.merge(TargetResult.ROLLED_BACK, wave.reverting, Integer::sum);
    wave.reverting = 0;
    change(control.rolledBack());
  }

  void beginIfDue() {
    if (current == 0 && (startAt.filter(now()::isBefore).isEmpty() || control.abortedBy().isPresent())) {
      current = 1;
      startAt = Optional.empty();
      state = RolloutState.RUNNING;
    } else if (current == 0) {
      state = RolloutState.PLANNED;
    }
  }

  void record(int wave, Decision decision) {
    if (wave == current && outcome.isEmpty()) {
      record(decision);
    }
    if (outcome.isEmpty() && WavePolicy.decide(snapshot()) instanceof Wait follows) {
      setState(follows);
    }
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

  void apply(OperatorAction action, String by) {
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

  RolloutStatus status() {
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
}
