package dev.uplift.fleet.why;

import dev.uplift.fleet.DeviceId;
import dev.uplift.fleet.ErrorClass;
import dev.uplift.fleet.HostId;
import dev.uplift.fleet.Outcome;
import dev.uplift.fleet.Reason;
import dev.uplift.fleet.pin.PinOrigin;
import dev.uplift.fleet.rollout.RolloutState;
import dev.uplift.fleet.rollout.TargetResult;
import dev.uplift.fleet.rollout.TargetState;
import dev.uplift.fleet.rollout.WaitReason;
import dev.uplift.fleet.why.ExplanationFacts.ActiveHold;
import dev.uplift.fleet.why.ExplanationFacts.ActivePin;
import dev.uplift.fleet.why.ExplanationFacts.ActiveStop;
import dev.uplift.fleet.why.ExplanationFacts.ApplicablePolicy;
import dev.uplift.fleet.why.ExplanationFacts.EndedUpgrade;
import dev.uplift.fleet.why.ExplanationFacts.HostPresenceState;
import dev.uplift.fleet.why.ExplanationFacts.LeftOut;
import dev.uplift.fleet.why.ExplanationFacts.MemberRollout;
import dev.uplift.fleet.why.ExplanationFacts.MemberTarget;
import dev.uplift.fleet.why.ExplanationFacts.ObservedHost;
import dev.uplift.fleet.why.ExplanationFacts.RolloutPause;
import dev.uplift.fleet.why.ExplanationFacts.RunningUpgrade;
import dev.uplift.fleet.why.ExplanationFacts.StepWait;
import dev.uplift.fleet.why.ExplanationFacts.WaitSubject;
import dev.uplift.fleet.window.Window;
import dev.uplift.fleet.window.WindowFields;
import dev.uplift.fleet.window.WindowSchedule;
import java.time.DayOfWeek;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Facts about the package `till` on the device `shop`, whose host `left` runs 1.0, at noon UTC on a Wednesday: under
/// construction, with what is expected of them.
final class ExplanationSituation {
  static final Instant NOW = Instant.parse("2026-11-25T12:00:00Z");
  static final Instant BEFORE = NOW.minusSeconds(3600);
  static final Instant LATER = NOW.plusSeconds(3600);

  private final String name;
  String chain = "";
  String answer = "";

  private List<ObservedHost> hosts = hosts("1.0", HostPresenceState.ONLINE);
  private Optional<ActiveStop> stop = Optional.empty();
  private final List<ActivePin> pins = new ArrayList<>();
  private Optional<ActiveHold> hold = Optional.empty();
  private final List<ApplicablePolicy> policies = new ArrayList<>();
  private final List<MemberRollout> rollouts = new ArrayList<>();
  private Optional<RunningUpgrade> running = Optional.empty();
  private Optional<EndedUpgrade> last = Optional.empty();
  private WindowSchedule windows = WindowSchedule.none(ZoneId.of("Europe/Berlin"));
  private Optional<Reason> refusal = Optional.empty();

  ExplanationSituation(String name) {
    this.name = name;
  }

  private static List<ObservedHost> hosts(String version, HostPresenceState presence) {
    return List.of(new ObservedHost(new HostId("left"), version, presence, BEFORE));
  }

  ExplanationSituation expect(String words, String word) {
    chain = words;
    answer = word;
    return this;
  }

  ExplanationSituation host(HostPresenceState presence) {
    hosts = hosts("1.0", presence);
    return this;
  }

  ExplanationSituation runs(String version) {
    hosts = hosts(version, HostPresenceState.ONLINE);
    return this;
  }

  ExplanationSituation withoutHosts() {
    hosts = List.of();
    return this;
  }

  ExplanationSituation held(boolean until) {
    hold = Optional.of(new ActiveHold("stock taking", "ana", BEFORE, until ? Optional.of(LATER) : Optional.empty()));
    return this;
  }

  ExplanationSituation stopped() {
    stop = Optional.of(new ActiveStop("incident", "ana", BEFORE));
    return this;
  }

  ExplanationSituation pinned(Optional<String> version, boolean onHost) {
    pins.add(
        new ActivePin(
            version,
            "a customer's wish",
            "ana",
            BEFORE,
            Optional.empty(),
            onHost ? Optional.of(new HostId("left")) : Optional.empty()));
    return this;
  }

  ExplanationSituation halted() {
    pins.add(
        new ActivePin(
            Optional.empty(),
            "a migration by ana",
            "barrier schema-7",
            PinOrigin.BARRIER,
            BEFORE,
            Optional.of(LATER),
            Optional.empty()));
    return this;
  }

  ExplanationSituation policy(String state, boolean decides) {
    policies.add(
        new ApplicablePolicy(
            "stable", true, Optional.of("2.0"), false, decides, state, "because", "said so", Optional.empty()));
    return this;
  }

  ExplanationSituation disabledPolicy() {
    policies.add(
        new ApplicablePolicy(
            "stable", false, Optional.of("2.0"), false, false, "disabled", "disabled", "said so", Optional.empty()));
    return this;
  }

  ExplanationSituation policyBecause(String state, String reason, Optional<Instant> until) {
    policies.add(
        new ApplicablePolicy("stable", true, Optional.of("2.0"), false, true, state, reason, "said so", until));
    return this;
  }

  /// It brings 2.0, which runs, with what the repositories offer.
  ExplanationSituation policyForOffers(String state, String reason) {
    policies.add(
        new ApplicablePolicy(
            "stable", true, Optional.of("2.0"), true, true, state, reason, "said so", Optional.empty()));
    return runs("2.0");
  }

  /// At least a version that is older than what runs.
  ExplanationSituation policyThatIsMet() {
    policies.add(
        new ApplicablePolicy(
            "stable", true, Optional.empty(), false, true, "satisfied", "satisfied", "said so", Optional.empty()));
    return this;
  }

  ExplanationSituation running(Optional<String> rollout, WaitSubject... subjects) {
    List<StepWait> waits = new ArrayList<>();
    for (WaitSubject subject : subjects) {
      waits.add(new StepWait(subject, "upgrade", new HostId("left"), "since long", BEFORE, Optional.of(LATER)));
    }
    return running("till", rollout, waits, Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());
  }

  ExplanationSituation busy() {
    return running(
        "os", Optional.empty(), List.of(), Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());
  }

  ExplanationSituation pausedUpgrade() {
    return running(
        "till", Optional.empty(), List.of(), Optional.of("ana"), Optional.empty(), Optional.empty(), Optional.empty());
  }

  ExplanationSituation stuckUpgrade() {
    return running(
        "till",
        Optional.empty(),
        List.of(),
        Optional.empty(),
        Optional.empty(),
        Optional.of("its workflow does not continue"),
        Optional.empty());
  }

  ExplanationSituation unknownUpgrade() {
    return running(
        "till",
        Optional.empty(),
        List.of(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.of("Temporal is not reached"));
  }

  ExplanationSituation failingUpgrade() {
    return running(
        "till",
        Optional.empty(),
        List.of(),
        Optional.empty(),
        Optional.of(Reason.error(ErrorClass.FINAL, "exit-1", "the script failed")),
        Optional.empty(),
        Optional.empty());
  }

  private ExplanationSituation running(
      String packageName,
      Optional<String> rollout,
      List<StepWait> waits,
      Optional<String> pausedBy,
      Optional<Reason> reason,
      Optional<String> stuck,
      Optional<String> unavailable) {
    running =
        Optional.of(
            new RunningUpgrade(
                "u",
                packageName,
                "2.0",
                false,
                "ana",
                BEFORE,
                rollout,
                Optional.of("upgrade"),
                pausedBy,
                reason,
                waits,
                stuck,
                unavailable));
    return this;
  }

  ExplanationSituation rollout(RolloutState state, int wave) {
    rollouts.add(
        new MemberRollout(
            "r" + rollouts.size(),
            "2.0",
            state,
            Optional.empty(),
            false,
            Optional.of(LATER),
            1,
            wave,
            Optional.of(member(TargetState.PENDING, null, Optional.empty(), Optional.empty())),
            Optional.empty()));
    return this;
  }

  private static MemberTarget member(
      TargetState state, @Nullable TargetResult result, Optional<Instant> notBefore, Optional<Instant> offlineSince) {
    return new MemberTarget(
        state,
        2,
        Optional.ofNullable(result),
        Optional.of("the script failed"),
        Optional.of(BEFORE),
        Optional.of(BEFORE),
        notBefore,
        offlineSince);
  }

  ExplanationSituation target(TargetState state, @Nullable TargetResult result) {
    return member(member(state, result, Optional.empty(), Optional.empty()));
  }

  ExplanationSituation backOff() {
    return member(member(TargetState.PENDING, null, Optional.of(LATER), Optional.empty()));
  }

  ExplanationSituation offlineTarget() {
    return member(member(TargetState.PENDING, null, Optional.empty(), Optional.of(BEFORE)));
  }

  private ExplanationSituation member(MemberTarget target) {
    MemberRollout rollout = rollouts.removeLast();
    rollouts.add(replaced(rollout, rollout.pause(), rollout.byThreshold(), Optional.of(target), Optional.empty()));
    return this;
  }

  ExplanationSituation excluded() {
    MemberRollout rollout = rollouts.removeLast();
    rollouts.add(
        replaced(rollout, rollout.pause(), false, Optional.empty(), Optional.of(new LeftOut("held", "held by ana"))));
    return this;
  }

  ExplanationSituation waitsFor(WaitReason reason) {
    MemberRollout rollout = rollouts.removeLast();
    var wait = new RolloutPause(reason, "1 device waits", BEFORE, Optional.of(LATER));
    rollouts.add(replaced(rollout, Optional.of(wait), false, rollout.target(), Optional.empty()));
    return this;
  }

  ExplanationSituation byThreshold() {
    MemberRollout rollout = rollouts.removeLast();
    rollouts.add(replaced(rollout, rollout.pause(), true, rollout.target(), Optional.empty()));
    return this;
  }

  private static MemberRollout replaced(
      MemberRollout rollout,
      Optional<RolloutPause> pause,
      boolean byThreshold,
      Optional<MemberTarget> target,
      Optional<LeftOut> leftOut) {
    return new MemberRollout(
        rollout.name(),
        rollout.version(),
        rollout.state(),
        pause,
        byThreshold,
        rollout.startAt(),
        rollout.currentWave(),
        rollout.wave(),
        target,
        leftOut);
  }

  ExplanationSituation window(String start) {
    windows =
        windows.withLevel(
            List.of(
                new Window(
                    EnumSet.allOf(DayOfWeek.class),
                    WindowFields.startTime(start),
                    Optional.empty(),
                    WindowFields.duration("4h"),
                    List.of())));
    return this;
  }

  ExplanationSituation neverOpen() {
    return window("22:00").window("10:00");
  }

  ExplanationSituation refused(String code) {
    refusal = Optional.of(Reason.error(ErrorClass.DECLINED, code, "said so"));
    return this;
  }

  ExplanationSituation last(Outcome outcome, boolean counts) {
    Optional<Reason> reason =
        outcome == Outcome.UPGRADED
            ? Optional.empty()
            : Optional.of(
                new Reason(
                    outcome == Outcome.EXPIRED ? Reason.Kind.DEADLINE : Reason.Kind.ERROR, "exit-1", "it failed"));
    last = Optional.of(new EndedUpgrade("u0", "2.0", outcome, reason, "ana", BEFORE, Optional.empty(), false, counts));
    return this;
  }

  ExplanationFacts facts() {
    return new ExplanationFacts(
        new DeviceId("acme", "shop"),
        "till",
        hosts,
        stop,
        pins,
        hold,
        policies,
        rollouts,
        running,
        last,
        windows,
        refusal);
  }

  @Override
  public String toString() {
    return name;
  }
}
