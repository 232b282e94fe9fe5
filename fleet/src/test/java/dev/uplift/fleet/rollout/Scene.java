package dev.uplift.fleet.rollout;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;

/// A situation of a rollout, told in the words of an operator. It is noon; the rules are the usual
/// ones, but ten devices at once.
record Scene(Situation situation) {
  static final Instant NOON = Instant.parse("2026-11-21T12:00:00Z");

  private static final Limits TEN_AT_ONCE = new Limits(10, 0, Optional.empty(), List.of());

  /// Wave number so-and-so of three.
  static Scene wave(int number) {
    return new Scene(
        new Situation(
            new WaveRules(
                number,
                3,
                new Gate.Automatic(),
                Duration.ZERO,
                TEN_AT_ONCE,
                Thresholds.USUAL,
                Optional.empty()),
            Steering.NONE,
            WaveCounts.NONE,
            WaveCounts.NONE,
            0,
            Judged.NOTHING,
            Pacing.NONE,
            0,
            Optional.empty(),
            NOON));
  }

  Scene pending(int devices) {
    WaveCounts c = situation.current();
    return current(new WaveCounts(devices, c.inWork(), c.ahead(), c.skipped(), c.ended()));
  }

  Scene inWork(int devices) {
    WaveCounts c = situation.current();
    return current(new WaveCounts(c.pending(), devices, c.ahead(), c.skipped(), c.ended()));
  }

  Scene ahead(int devices) {
    WaveCounts c = situation.current();
    return current(new WaveCounts(c.pending(), c.inWork(), devices, c.skipped(), c.ended()));
  }

  Scene skipped(int devices) {
    WaveCounts c = situation.current();
    return current(new WaveCounts(c.pending(), c.inWork(), c.ahead(), devices, c.ended()));
  }

  /// So many devices of the current wave ended, after the mark; the newest last.
  Scene ended(Verdict verdict, int devices) {
    WaveCounts c = situation.current();
    Map<Verdict, Integer> ended = plus(c.ended(), verdict, devices);
    return current(new WaveCounts(c.pending(), c.inWork(), c.ahead(), c.skipped(), ended))
        .judged(verdict, devices);
  }

  /// The same, before the mark: a person has seen them and resumed.
  Scene forgiven(Verdict verdict, int devices) {
    WaveCounts c = situation.current();
    Map<Verdict, Integer> ended = plus(c.ended(), verdict, devices);
    return current(new WaveCounts(c.pending(), c.inWork(), c.ahead(), c.skipped(), ended));
  }

  private Scene judged(Verdict verdict, int devices) {
    Judged j = situation.judged();
    var last = new ArrayList<>(Collections.nCopies(devices, verdict));
    last.addAll(j.last());
    return with(s ->
        new Situation(
            s.rules(),
            s.steering(),
            s.current(),
            s.earlier(),
            s.later(),
            new Judged(plus(j.counts(), verdict, devices), last),
            s.pacing(),
            s.reverting(),
            s.lastEnded(),
            s.now()));
  }

  Scene earlier(WaveCounts counts) {
    return with(s ->
        new Situation(
            s.rules(),
            s.steering(),
            s.current(),
            counts,
            s.later(),
            s.judged(),
            s.pacing(),
            s.reverting(),
            s.lastEnded(),
            s.now()));
  }

  Scene later(int devices) {
    return with(s ->
        new Situation(
            s.rules(),
            s.steering(),
            s.current(),
            s.earlier(),
            devices,
            s.judged(),
            s.pacing(),
            s.reverting(),
            s.lastEnded(),
            s.now()));
  }

  Scene steered(UnaryOperator<Steering> how) {
    return with(s ->
        new Situation(
            s.rules(),
            how.apply(s.steering()),
            s.current(),
            s.earlier(),
            s.later(),
            s.judged(),
            s.pacing(),
            s.reverting(),
            s.lastEnded(),
            s.now()));
  }

  Scene reverting(int devices) {
    return with(s ->
        new Situation(
            s.rules(),
            s.steering(),
            s.current(),
            s.earlier(),
            s.later(),
            s.judged(),
            s.pacing(),
            devices,
            s.lastEnded(),
            s.now()));
  }

  Scene startedLately(int devices, String oldest) {
    return with(s ->
        new Situation(
            s.rules(),
            s.steering(),
            s.current(),
            s.earlier(),
            s.later(),
            s.judged(),
            new Pacing(devices, Optional.of(at(oldest))),
            s.reverting(),
            s.lastEnded(),
            s.now()));
  }

  Scene lastEnded(String time) {
    return with(s ->
        new Situation(
            s.rules(),
            s.steering(),
            s.current(),
            s.earlier(),
            s.later(),
            s.judged(),
            s.pacing(),
            s.reverting(),
            Optional.of(at(time)),
            s.now()));
  }

  Scene gate(Gate gate) {
    return rules(r ->
        new WaveRules(
            r.number(), r.waves(), gate, r.soak(), r.limits(), r.thresholds(), r.notAfter()));
  }

  Scene soak(Duration soak) {
    return rules(r ->
        new WaveRules(
            r.number(), r.waves(), r.gate(), soak, r.limits(), r.thresholds(), r.notAfter()));
  }

  Scene limits(int atOnce, int preparing, Optional<Integer> perMinute) {
    Limits limits = new Limits(atOnce, preparing, perMinute, List.of());
    return rules(r ->
        new WaveRules(
            r.number(), r.waves(), r.gate(), r.soak(), limits, r.thresholds(), r.notAfter()));
  }

  Scene thresholds(Thresholds thresholds) {
    return rules(r ->
        new WaveRules(
            r.number(), r.waves(), r.gate(), r.soak(), r.limits(), thresholds, r.notAfter()));
  }

  Scene deadline(String time) {
    return rules(r ->
        new WaveRules(
            r.number(),
            r.waves(),
            r.gate(),
            r.soak(),
            r.limits(),
            r.thresholds(),
            Optional.of(at(time))));
  }

  /// The decision as one line: its word, until when, and its sentence.
  String decision() {
    return line(WavePolicy.decide(situation));
  }

  static String line(Decision decision) {
    String head =
        switch (decision) {
          case Decision.Start(int now, int ahead, int together, _) ->
              "start " + now + (ahead > 0 ? " and " + ahead + " ahead" : "") + most(together);
          case Decision.Wait(Waiting what, Optional<Instant> until, _) ->
              "wait " + what + until.map(end -> " until " + time(end)).orElse("");
          case Decision.Finish(RolloutOutcome outcome, _) -> "finish " + outcome;
          default -> decision.word();
        };
    return head + ": " + decision.sentence();
  }

  private static String most(int together) {
    return together == Integer.MAX_VALUE ? "" : ", " + together + " together";
  }

  static Instant at(String time) {
    return Instant.parse("2026-11-21T" + time + ":00Z");
  }

  private static String time(Instant instant) {
    return instant.toString().substring(11, 16);
  }

  private Scene current(WaveCounts counts) {
    return with(s ->
        new Situation(
            s.rules(),
            s.steering(),
            counts,
            s.earlier(),
            s.later(),
            s.judged(),
            s.pacing(),
            s.reverting(),
            s.lastEnded(),
            s.now()));
  }

  private Scene rules(UnaryOperator<WaveRules> how) {
    return with(s ->
        new Situation(
            how.apply(s.rules()),
            s.steering(),
            s.current(),
            s.earlier(),
            s.later(),
            s.judged(),
            s.pacing(),
            s.reverting(),
            s.lastEnded(),
            s.now()));
  }

  private Scene with(UnaryOperator<Situation> how) {
    return new Scene(how.apply(situation));
  }

  private static Map<Verdict, Integer> plus(
      Map<Verdict, Integer> counts, Verdict verdict, int devices) {
    Map<Verdict, Integer> sum = new EnumMap<>(Verdict.class);
    sum.putAll(counts);
    sum.merge(verdict, devices, Integer::sum);
    return sum;
  }
}
