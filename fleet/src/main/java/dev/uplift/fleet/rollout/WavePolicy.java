package dev.uplift.fleet.rollout;

import dev.uplift.fleet.rollout.Decision.Finish;
import dev.uplift.fleet.rollout.Decision.NextWave;
import dev.uplift.fleet.rollout.Decision.Start;
import dev.uplift.fleet.rollout.Decision.Wait;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/// What a rollout does now. The first of these that says something decides: somebody stopped it, a
/// wave goes back, the deadline has come, it is paused, too much has failed, the gate of the wave
/// is shut, the wave is over, there is room for more.
public final class WavePolicy {
  private static final Duration MINUTE = Duration.ofMinutes(1);

  private final Situation now;
  private final WaveRules rules;
  private final Steering steering;
  private final Judgement judgement;

  private WavePolicy(Situation now) {
    this.now = now;
    this.rules = now.rules();
    this.steering = now.steering();
    this.judgement = new Judgement(rules.thresholds(), now.judged());
  }

  /// The same situation always gets the same answer.
  public static Decision decide(Situation situation) {
    WavePolicy policy = new WavePolicy(situation);
    return policy
        .stopped()
        .or(policy::rollingBack)
        .or(policy::tooLate)
        .or(policy::paused)
        .or(policy.judgement::onFailures)
        .or(policy::gateShut)
        .or(policy::waveOver)
        .orElseGet(policy::start);
  }

  private Optional<Decision> stopped() {
    return steering
        .stoppedBy()
        .map(by ->
            open() > 0
                ? waitFor(Waiting.ABORTING, by + "; " + Words.devicesAre(open()) + " still in work")
                : new Finish(RolloutOutcome.ABORTED, by));
  }

  private Optional<Decision> tooLate() {
    int notBegun = now.pending() + now.later();
    if (notBegun == 0 || rules.notAfter().filter(end -> !now.now().isBefore(end)).isEmpty()) {
      return Optional.empty();
    }
    String why = "the deadline has passed and %s not begun".formatted(Words.devicesAre(notBegun));
    return Optional.of(
        open() > 0
            ? waitFor(Waiting.IN_WORK, why + "; " + Words.devicesAre(open()) + " still in work")
            : new Finish(RolloutOutcome.EXPIRED, why));
  }

  private Optional<Decision> rollingBack() {
    return steering
        .rollsBack()
        .filter(_ -> open() > 0)
        .map(
            wave -> waitFor(Waiting.ROLLING_BACK, "wave %d goes back: %s".formatted(wave, onIt())));
  }

  private String onIt() {
    return now.reverting() > 0
        ? Words.devicesAre(now.reverting()) + " still on the way"
        : Words.devicesAre(open()) + " still in work";
  }

  private Optional<Decision> paused() {
    return steering.pausedBy().map(by -> waitFor(Waiting.PAUSED, "paused by " + by));
  }

  private Optional<Decision> gateShut() {
    if (now.current().isBegun() || now.current().pending() == 0) {
      return Optional.empty();
    }
    return switch (rules.gate()) {
      case Gate.Automatic() -> Optional.empty();
      case Gate.Approval() ->
          steering.approvedBy().isPresent()
              ? Optional.empty()
              : Optional.of(
                  waitFor(
                      Waiting.APPROVAL,
                      "%s waits for approval by another person than the author"
                          .formatted(rules.title())));
      case Gate.Time(Instant opens) ->
          steering.opensNowBy().isPresent() || !now.now().isBefore(opens)
              ? Optional.empty()
              : Optional.of(
                  waitUntil(
                      Waiting.GATE_TIME, opens, "%s begins at %s".formatted(rules.title(), opens)));
    };
  }

  private Optional<Decision> waveOver() {
    Optional<Decision> byPerson = steering.nextWaveBy().or(steering::doneBy).flatMap(this::goOn);
    if (byPerson.isPresent()) {
      return byPerson;
    }
    if (!now.current().isOver()) {
      return Optional.empty();
    }
    return tooFewSucceeded().or(() -> now.soakEnd().isPresent() ? soaking() : goOnByItself());
  }

  private Optional<Decision> goOn(String by) {
    return rules.isLast() ? Optional.empty() : Optional.of(new NextWave(by));
  }

  private Optional<Decision> tooFewSucceeded() {
    return steering.doneBy().isPresent() ? Optional.empty() : judgement.onSuccesses(rules.title());
  }

  /// Devices of earlier waves that have not had their turn may have it meanwhile.
  private Optional<Decision> soaking() {
    return toCome() > 0
        ? Optional.empty()
        : now.soakEnd()
            .map(end ->
                waitUntil(Waiting.SOAK, end, "%s soaks until %s".formatted(rules.title(), end)));
  }

  private Optional<Decision> goOnByItself() {
    if (!rules.isLast()) {
      return Optional.of(new NextWave("%s is done: %s".formatted(rules.title(), result())));
    }
    if (!now.earlier().isOver()) {
      return Optional.empty();
    }
    boolean complete = now.succeeded() == now.all();
    return Optional.of(
        new Finish(
            complete ? RolloutOutcome.UPGRADED : RolloutOutcome.PARTIAL,
            "%d of %s run the release".formatted(now.succeeded(), Words.devices(now.all()))));
  }

  private String result() {
    return "%d of %s run the release"
        .formatted(now.current().succeeded(), Words.devices(now.current().all()));
  }

  private Decision start() {
    if (toCome() == 0) {
      return waitFor(Waiting.IN_WORK, Words.devicesAre(open()) + " in work");
    }
    Limits limits = rules.limits();
    int slots = Math.min(limits.maxParallel() - now.inWork(), toCome());
    int ahead = Math.min(limits.maxPreparing() - now.ahead(), now.pending());
    if (slots <= 0 && ahead <= 0) {
      return waitFor(
          Waiting.MAX_PARALLEL,
          "%s in work, %d may be".formatted(Words.devicesAre(now.inWork()), limits.maxParallel()));
    }
    int rate = limits.perMinute().orElse(Integer.MAX_VALUE) - now.pacing().inLastMinute();
    boolean mayGoOn = slots > 0 && now.ahead() > 0;
    return rate > 0 || mayGoOn
        ? new Start(
            Math.max(slots, 0),
            Math.max(ahead, 0),
            Math.max(rate, 0),
            "%s pending%s, %d in work, %d may be"
                .formatted(
                    Words.devices(now.pending()),
                    now.ahead() > 0 ? ", %d prepared".formatted(now.ahead()) : "",
                    now.inWork(),
                    limits.maxParallel()))
        : tooFast();
  }

  private Decision tooFast() {
    Instant until = now.pacing().oldest().orElse(now.now()).plus(MINUTE);
    return waitUntil(
        Waiting.RATE,
        until,
        "%s started in the last minute, as many as may be"
            .formatted(Words.devices(now.pacing().inLastMinute())));
  }

  /// That may be started or told to go on, as far as waves are concerned.
  private int toCome() {
    return now.pending() + now.ahead();
  }

  private int open() {
    return now.inWork() + now.ahead() + now.reverting();
  }

  private static Decision waitFor(Waiting what, String sentence) {
    return new Wait(what, Optional.empty(), sentence);
  }

  private static Decision waitUntil(Waiting what, Instant until, String sentence) {
    return new Wait(what, Optional.of(until), sentence);
  }
}
