package dev.uplift.fleet.rollout.decision;

import dev.uplift.fleet.rollout.Decision;
import dev.uplift.fleet.rollout.Decision.Finish;
import dev.uplift.fleet.rollout.Decision.NextWave;
import dev.uplift.fleet.rollout.Decision.Start;
import dev.uplift.fleet.rollout.Decision.Wait;
import dev.uplift.fleet.rollout.Phrases;
import dev.uplift.fleet.rollout.RolloutControl;
import dev.uplift.fleet.rollout.RolloutOutcome;
import dev.uplift.fleet.rollout.WaitReason;
import dev.uplift.fleet.rollout.plan.Gate;
import dev.uplift.fleet.rollout.plan.RolloutLimits;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.Optional;
import java.util.stream.Stream;

/// Decides what a rollout does now. The first rule that applies decides: it was aborted, a wave is being rolled back,
/// the deadline has come, it is paused, too much has failed, the gate of the wave is closed, the wave is over, the
/// tenant is stopped, the limits allow more.
public final class WavePolicy {
  private static final Duration MINUTE = Duration.ofMinutes(1);

  /// How long a rollout without a deadline waits for its last devices to be heard.
  static final Duration OFFLINE_WAIT = Duration.ofHours(24);

  private final RolloutSnapshot snapshot;
  private final WaveRules rules;
  private final RolloutControl control;
  private final FailurePolicy failurePolicy;

  private WavePolicy(RolloutSnapshot snapshot) {
    this.snapshot = snapshot;
    this.rules = snapshot.rules();
    this.control = snapshot.control();
    this.failurePolicy = new FailurePolicy(rules.thresholds(), snapshot.results());
  }

  /// The decision for a snapshot; always the same for the same snapshot.
  public static Decision decide(RolloutSnapshot situation) {
    WavePolicy policy = new WavePolicy(situation);
    return policy
        .aborted()
        .or(policy::rollingBack)
        .or(policy::deadlinePassed)
        .or(policy::paused)
        .or(policy.failurePolicy::judgeFailures)
        .or(policy::gateClosed)
        .or(policy::waveOver)
        .orElseGet(policy::start);
  }

  private Optional<Decision> aborted() {
    return control
        .abortedBy()
        .map(by ->
            snapshot.open() > 0
                ? waitFor(WaitReason.ABORTING, by + "; " + Phrases.devicesAre(snapshot.open()) + " still in progress")
                : new Finish(RolloutOutcome.ABORTED, by));
  }

  private Optional<Decision> deadlinePassed() {
    int notBegun = snapshot.pending() + snapshot.later();
    if (notBegun == 0 || !isPastDeadline()) {
      return Optional.empty();
    }
    if (isOnlyOfflineLeft()) {
      return snapshot.remainingSoak().isPositive() ? Optional.empty() : Optional.of(finish());
    }
    String why = "the deadline has passed and %s not begun".formatted(Phrases.devicesAre(notBegun));
    return Optional.of(
        snapshot.open() > 0
            ? waitFor(
                WaitReason.UPGRADES_RUNNING, why + "; " + Phrases.devicesAre(snapshot.open()) + " still in progress")
            : new Finish(RolloutOutcome.EXPIRED, why));
  }

  private boolean isPastDeadline() {
    return rules.notAfter().filter(end -> !snapshot.now().isBefore(end)).isPresent();
  }

  /// Returns whether all devices have ended, except those that are offline.
  private boolean isOnlyOfflineLeft() {
    return rules.isLast()
        && snapshot.later() == 0
        && snapshot.open() == 0
        && snapshot.offline() > 0
        && snapshot.pending() == snapshot.offline();
  }

  private Optional<Decision> rollingBack() {
    return control
        .rollingBackWave()
        .filter(_ -> snapshot.open() > 0)
        .map(wave -> waitFor(WaitReason.ROLLING_BACK, "rolling wave %d back: %s".formatted(wave, describeRollback())));
  }

  private String describeRollback() {
    return snapshot.reverting() > 0
        ? Phrases.devicesAre(snapshot.reverting()) + " still to be reverted"
        : Phrases.devicesAre(snapshot.open()) + " still in progress";
  }

  private Optional<Decision> paused() {
    return control.pausedBy().map(by -> waitFor(WaitReason.PAUSED, "paused by " + by));
  }

  private Optional<Decision> gateClosed() {
    if (snapshot.current().pending() == 0) {
      return Optional.empty();
    }
    return switch (rules.gate()) {
      case Gate.Automatic() -> Optional.empty();
      case Gate.Approval() ->
          control.approvedBy().isPresent()
              ? Optional.empty()
              : Optional.of(
                  waitFor(
                      WaitReason.APPROVAL,
                      "%s waits for approval by another person than its authors".formatted(rules.title())));
      case Gate.Time(Instant opens) ->
          snapshot.current().isBegun() || control.openedBy().isPresent() || !snapshot.now().isBefore(opens)
              ? Optional.empty()
              : Optional.of(waitUntil(WaitReason.GATE_TIME, opens, "%s begins at %s".formatted(rules.title(), opens)));
    };
  }

  private Optional<Decision> waveOver() {
    Optional<Decision> byPerson = control.nextWaveBy().or(control::remainingSkippedBy).flatMap(this::nextWave);
    if (byPerson.isPresent()) {
      return byPerson;
    }
    if (!snapshot.current().isOver()) {
      return Optional.empty();
    }
    return tooFewSucceeded().or(() -> snapshot.remainingSoak().isPositive() ? soaking() : nextWaveOrFinish());
  }

  private Optional<Decision> nextWave(String by) {
    return rules.isLast() ? Optional.empty() : Optional.of(new NextWave(by));
  }

  private Optional<Decision> tooFewSucceeded() {
    return control.remainingSkippedBy().isPresent()
        ? Optional.empty()
        : failurePolicy.judgeSuccesses(rules.title()).or(this::unproven);
  }

  /// A wave that says nothing about the release lets no other one begin. Devices of it that are offline may still prove
  /// it, without any person.
  private Optional<Decision> unproven() {
    if (rules.isLast() || control.continuedBy().isPresent()) {
      return Optional.empty();
    }
    WaveCounts wave = snapshot.current();
    return failurePolicy
        .judgeProof(rules.title(), wave)
        .map(pause ->
            wave.offline() == 0
                ? pause
                : waitFor(
                    WaitReason.OFFLINE,
                    "%s of %s offline; %d of %s run the release, and the next wave takes %d"
                        .formatted(
                            Phrases.devices(wave.offline()),
                            rules.title() + (wave.offline() == 1 ? " is" : " are"),
                            wave.succeeded(),
                            Phrases.devices(wave.total()),
                            failurePolicy.successesNeeded(wave))));
  }

  /// Devices of earlier waves that have not had their turn may have it meanwhile.
  private Optional<Decision> soaking() {
    return startable() > 0
        ? Optional.empty()
        : Optional.of(new Wait(WaitReason.SOAK, snapshot.soakEnd(), describeSoak()));
  }

  private String describeSoak() {
    SoakWatch watch = snapshot.soakWatch();
    return "%s soaks: watched %s of %s%s"
        .formatted(
            rules.title(),
            Phrases.formatDuration(watch.watched()),
            Phrases.formatDuration(rules.soak()),
            watch.unheard().isEmpty() ? "" : "; not heard: " + watch.unheard());
  }

  private Optional<Decision> nextWaveOrFinish() {
    if (!rules.isLast()) {
      return Optional.of(new NextWave("%s is done: %s".formatted(rules.title(), describeResult())));
    }
    if (!snapshot.earlier().isOver()) {
      return Optional.empty();
    }
    return snapshot.offline() > 0 && !mayLeaveOfflineOut() ? Optional.empty() : Optional.of(finish());
  }

  private Decision finish() {
    boolean complete = snapshot.succeeded() == snapshot.total();
    String leftOut =
        snapshot.offline() == 0 ? "" : "; left out: %s offline".formatted(Phrases.devices(snapshot.offline()));
    return new Finish(
        complete ? RolloutOutcome.UPGRADED : RolloutOutcome.PARTIAL,
        "%d of %s run the release%s".formatted(snapshot.succeeded(), Phrases.devices(snapshot.total()), leftOut));
  }

  /// At the deadline, or without one when enough time has passed since the last other device ended.
  private boolean mayLeaveOfflineOut() {
    return isOnlyOfflineLeft() && !snapshot.now().isBefore(offlineDeadline());
  }

  private Instant offlineDeadline() {
    return rules
        .notAfter()
        .orElseGet(() ->
            Stream.of(snapshot.lastEndedAt(), snapshot.lastOfflineAt())
                .flatMap(Optional::stream)
                .max(Comparator.naturalOrder())
                .orElse(snapshot.now())
                .plus(OFFLINE_WAIT));
  }

  private String describeResult() {
    int offline = snapshot.current().offline();
    return "%d of %s run the release%s"
        .formatted(
            snapshot.current().succeeded(),
            Phrases.devices(snapshot.current().total()),
            offline == 0 ? "" : "; %d offline, started when heard".formatted(offline));
  }

  private Decision start() {
    if (startable() == 0) {
      return isOnlyOfflineLeft() ? offline() : waitFor(WaitReason.UPGRADES_RUNNING, describeRunning());
    }
    if (snapshot.stopped().isPresent()) {
      return waitFor(WaitReason.STOPPED, snapshot.stopped().get());
    }
    RolloutLimits rolloutLimits = rules.limits();
    int slots = Math.min(rolloutLimits.maxParallel() - snapshot.inProgress(), startable());
    int ahead = Math.min(rolloutLimits.maxPreparing() - snapshot.preparing(), snapshot.pending());
    if (slots <= 0 && ahead <= 0) {
      return waitFor(
          WaitReason.MAX_PARALLEL,
          "%s in progress, at most %d"
              .formatted(Phrases.devicesAre(snapshot.inProgress()), rolloutLimits.maxParallel()));
    }
    int rate = rolloutLimits.perMinute().orElse(Integer.MAX_VALUE) - snapshot.recentStarts().inLastMinute();
    boolean mayGoOn = slots > 0 && snapshot.preparing() > 0;
    return rate > 0 || mayGoOn
        ? new Start(
            Math.max(slots, 0),
            Math.max(ahead, 0),
            Math.max(rate, 0),
            "%s pending%s%s, %d in progress, at most %d"
                .formatted(
                    Phrases.devices(snapshot.pending()),
                    snapshot.preparing() > 0 ? ", %d prepared".formatted(snapshot.preparing()) : "",
                    describeOffline(),
                    snapshot.inProgress(),
                    rolloutLimits.maxParallel()))
        : rateLimited();
  }

  private String describeRunning() {
    return Phrases.devicesAre(snapshot.open()) + " in progress" + describeOffline();
  }

  private String describeOffline() {
    return snapshot.offline() == 0 ? "" : ", %d offline".formatted(snapshot.offline());
  }

  private Decision offline() {
    Instant until = offlineDeadline();
    return waitUntil(
        WaitReason.OFFLINE,
        until,
        "%s offline; left out at %s unless they are heard by then"
            .formatted(Phrases.devicesAre(snapshot.offline()), until));
  }

  private Decision rateLimited() {
    Instant until = snapshot.recentStarts().oldest().orElse(snapshot.now()).plus(MINUTE);
    return waitUntil(
        WaitReason.RATE_LIMIT,
        until,
        "%s started in the last minute, as many as allowed"
            .formatted(Phrases.devices(snapshot.recentStarts().inLastMinute())));
  }

  /// The devices that may be started or may proceed, as far as waves are concerned.
  private int startable() {
    return snapshot.pending() + snapshot.preparing() - snapshot.offline();
  }

  private static Decision waitFor(WaitReason reason, String sentence) {
    return new Wait(reason, Optional.empty(), sentence);
  }

  private static Decision waitUntil(WaitReason reason, Instant until, String sentence) {
    return new Wait(reason, Optional.of(until), sentence);
  }
}
