package dev.uplift.fleet.rollout.decision;

import dev.uplift.fleet.rollout.Decision;
import dev.uplift.fleet.rollout.ResultCounts;
import dev.uplift.fleet.rollout.RolloutControl;
import dev.uplift.fleet.rollout.RolloutOutcome;
import dev.uplift.fleet.rollout.TargetResult;
import dev.uplift.fleet.rollout.WaitReason;
import dev.uplift.fleet.rollout.plan.Gate;
import dev.uplift.fleet.rollout.plan.RolloutLimits;
import dev.uplift.fleet.rollout.plan.Thresholds;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;

/// Builds snapshots of a rollout. It is noon; the rules are the defaults, except ten devices in parallel.
public record SnapshotScenario(RolloutSnapshot snapshot) {
  public static final Instant NOON = Instant.parse("2026-11-21T12:00:00Z");

  private static final RolloutLimits TEN_AT_ONCE = new RolloutLimits(10, 0, Optional.empty(), List.of());

  /// Returns a snapshot in this wave of three.
  static SnapshotScenario wave(int number) {
    return new SnapshotScenario(
        new RolloutSnapshot(
            new WaveRules(
                number, 3, new Gate.Automatic(), Duration.ZERO, TEN_AT_ONCE, Thresholds.DEFAULTS, Optional.empty()),
            RolloutControl.NONE,
            WaveCounts.NONE,
            WaveCounts.NONE,
            0,
            ResultCounts.NONE,
            RecentStarts.NONE,
            0,
            Optional.empty(),
            SoakWatch.NONE,
            NOON));
  }

  SnapshotScenario pending(int devices) {
    WaveCounts c = snapshot.current();
    return current(new WaveCounts(devices, c.inProgress(), c.preparing(), c.skipped(), c.ended()));
  }

  SnapshotScenario inProgress(int devices) {
    WaveCounts c = snapshot.current();
    return current(new WaveCounts(c.pending(), devices, c.preparing(), c.skipped(), c.ended()));
  }

  SnapshotScenario preparing(int devices) {
    WaveCounts c = snapshot.current();
    return current(new WaveCounts(c.pending(), c.inProgress(), devices, c.skipped(), c.ended()));
  }

  SnapshotScenario skipped(int devices) {
    WaveCounts c = snapshot.current();
    return current(new WaveCounts(c.pending(), c.inProgress(), c.preparing(), devices, c.ended()));
  }

  /// Makes so many of the pending or prepared devices offline.
  SnapshotScenario offline(int devices, Instant lastAt) {
    return current(snapshot.current().withOffline(devices, Optional.of(lastAt)));
  }

  /// Adds devices of the current wave that have ended after the last resume; the newest last.
  SnapshotScenario ended(TargetResult result, int devices) {
    WaveCounts c = snapshot.current();
    Map<TargetResult, Integer> ended = plus(c.ended(), result, devices);
    return current(new WaveCounts(c.pending(), c.inProgress(), c.preparing(), c.skipped(), ended))
        .withResults(result, devices);
  }

  /// As above, before the last resume.
  SnapshotScenario endedBeforeResume(TargetResult result, int devices) {
    WaveCounts c = snapshot.current();
    Map<TargetResult, Integer> ended = plus(c.ended(), result, devices);
    return current(new WaveCounts(c.pending(), c.inProgress(), c.preparing(), c.skipped(), ended));
  }

  private SnapshotScenario withResults(TargetResult result, int devices) {
    ResultCounts j = snapshot.results();
    var last = new ArrayList<>(Collections.nCopies(devices, result));
    last.addAll(j.latest());
    return with(s ->
        new RolloutSnapshot(
            s.rules(),
            s.control(),
            s.current(),
            s.earlier(),
            s.later(),
            new ResultCounts(plus(j.counts(), result, devices), last),
            s.recentStarts(),
            s.reverting(),
            s.lastEndedAt(),
            s.soakWatch(),
            s.now()));
  }

  SnapshotScenario earlier(WaveCounts counts) {
    return with(s ->
        new RolloutSnapshot(
            s.rules(),
            s.control(),
            s.current(),
            counts,
            s.later(),
            s.results(),
            s.recentStarts(),
            s.reverting(),
            s.lastEndedAt(),
            s.soakWatch(),
            s.now()));
  }

  SnapshotScenario later(int devices) {
    return with(s ->
        new RolloutSnapshot(
            s.rules(),
            s.control(),
            s.current(),
            s.earlier(),
            devices,
            s.results(),
            s.recentStarts(),
            s.reverting(),
            s.lastEndedAt(),
            s.soakWatch(),
            s.now()));
  }

  SnapshotScenario controlled(UnaryOperator<RolloutControl> how) {
    return with(s ->
        new RolloutSnapshot(
            s.rules(),
            how.apply(s.control()),
            s.current(),
            s.earlier(),
            s.later(),
            s.results(),
            s.recentStarts(),
            s.reverting(),
            s.lastEndedAt(),
            s.soakWatch(),
            s.now()));
  }

  SnapshotScenario reverting(int devices) {
    return with(s ->
        new RolloutSnapshot(
            s.rules(),
            s.control(),
            s.current(),
            s.earlier(),
            s.later(),
            s.results(),
            s.recentStarts(),
            devices,
            s.lastEndedAt(),
            s.soakWatch(),
            s.now()));
  }

  SnapshotScenario recentStarts(int devices, String oldest) {
    return with(s ->
        new RolloutSnapshot(
            s.rules(),
            s.control(),
            s.current(),
            s.earlier(),
            s.later(),
            s.results(),
            new RecentStarts(devices, Optional.of(at(oldest))),
            s.reverting(),
            s.lastEndedAt(),
            s.soakWatch(),
            s.now()));
  }

  SnapshotScenario lastEnded(String time) {
    return with(s ->
        new RolloutSnapshot(
            s.rules(),
            s.control(),
            s.current(),
            s.earlier(),
            s.later(),
            s.results(),
            s.recentStarts(),
            s.reverting(),
            Optional.of(at(time)),
            s.soakWatch(),
            s.now()));
  }

  /// The soak was watched so long, until then.
  SnapshotScenario watched(Duration time, String until, String unheard) {
    return with(s ->
        new RolloutSnapshot(
            s.rules(),
            s.control(),
            s.current(),
            s.earlier(),
            s.later(),
            s.results(),
            s.recentStarts(),
            s.reverting(),
            s.lastEndedAt(),
            new SoakWatch(time, Optional.of(at(until)), unheard),
            s.now()));
  }

  SnapshotScenario gate(Gate gate) {
    return rules(
        r -> new WaveRules(r.number(), r.waveCount(), gate, r.soak(), r.limits(), r.thresholds(), r.notAfter()));
  }

  SnapshotScenario soak(Duration soak) {
    return rules(
        r -> new WaveRules(r.number(), r.waveCount(), r.gate(), soak, r.limits(), r.thresholds(), r.notAfter()));
  }

  SnapshotScenario limits(int atOnce, int preparing, Optional<Integer> perMinute) {
    RolloutLimits rolloutLimits = new RolloutLimits(atOnce, preparing, perMinute, List.of());
    return rules(
        r -> new WaveRules(r.number(), r.waveCount(), r.gate(), r.soak(), rolloutLimits, r.thresholds(), r.notAfter()));
  }

  SnapshotScenario thresholds(Thresholds thresholds) {
    return rules(
        r -> new WaveRules(r.number(), r.waveCount(), r.gate(), r.soak(), r.limits(), thresholds, r.notAfter()));
  }

  SnapshotScenario deadline(String time) {
    return rules(r ->
        new WaveRules(
            r.number(), r.waveCount(), r.gate(), r.soak(), r.limits(), r.thresholds(), Optional.of(at(time))));
  }

  /// Returns the decision as one line: its word, until when, and its message.
  String decision() {
    return line(WavePolicy.decide(snapshot));
  }

  public static String line(Decision decision) {
    String head =
        switch (decision) {
          case Decision.Start(int now, int ahead, int together, _) ->
              "start " + now + (ahead > 0 ? " and " + ahead + " ahead" : "") + most(together);
          case Decision.Wait(WaitReason reason, Optional<Instant> until, _) ->
              "wait " + reason + until.map(end -> " until " + time(end)).orElse("");
          case Decision.Finish(RolloutOutcome outcome, _) -> "finish " + outcome;
          default -> decision.code();
        };
    return head + ": " + decision.message();
  }

  private static String most(int together) {
    return together == Integer.MAX_VALUE ? "" : ", " + together + " together";
  }

  public static Instant at(String time) {
    return Instant.parse("2026-11-21T" + time + ":00Z");
  }

  private static String time(Instant instant) {
    return instant.toString().substring(11, 16);
  }

  /// In a tenant that was stopped.
  SnapshotScenario stopped(String why) {
    return with(s ->
        new RolloutSnapshot(
            s.rules(),
            s.control(),
            s.current(),
            s.earlier(),
            s.later(),
            s.results(),
            s.recentStarts(),
            s.reverting(),
            s.lastEndedAt(),
            s.soakWatch(),
            s.now(),
            Optional.of(why)));
  }

  private SnapshotScenario current(WaveCounts counts) {
    return with(s ->
        new RolloutSnapshot(
            s.rules(),
            s.control(),
            counts,
            s.earlier(),
            s.later(),
            s.results(),
            s.recentStarts(),
            s.reverting(),
            s.lastEndedAt(),
            s.soakWatch(),
            s.now()));
  }

  private SnapshotScenario rules(UnaryOperator<WaveRules> how) {
    return with(s ->
        new RolloutSnapshot(
            how.apply(s.rules()),
            s.control(),
            s.current(),
            s.earlier(),
            s.later(),
            s.results(),
            s.recentStarts(),
            s.reverting(),
            s.lastEndedAt(),
            s.soakWatch(),
            s.now()));
  }

  private SnapshotScenario with(UnaryOperator<RolloutSnapshot> how) {
    return new SnapshotScenario(how.apply(snapshot));
  }

  private static Map<TargetResult, Integer> plus(Map<TargetResult, Integer> counts, TargetResult result, int devices) {
    Map<TargetResult, Integer> sum = new EnumMap<>(TargetResult.class);
    sum.putAll(counts);
    sum.merge(result, devices, Integer::sum);
    return sum;
  }
}
