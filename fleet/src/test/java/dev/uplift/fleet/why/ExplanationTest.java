package dev.uplift.fleet.why;

import static org.assertj.core.api.Assertions.assertThat;

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
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/// Every situation is the package `till` on the device `shop`, whose host `left` runs 1.0, at noon UTC on a Wednesday.
final class ExplanationTest {
  private static final Instant NOW = Instant.parse("2026-11-25T12:00:00Z");
  private static final Instant BEFORE = NOW.minusSeconds(3600);
  private static final Instant LATER = NOW.plusSeconds(3600);

  /// The chain is written as its words in order, each with its effect unless it only informs; then the answer.
  static final List<Situation> SITUATIONS =
      List.of(
          new Situation("nothing wants it").expect("nothing", "nothing"),
          new Situation("nothing wants it, and it is held").held(false).expect("nothing held", "nothing"),
          new Situation("its last upgrade went well").last(Outcome.UPGRADED, true).expect("nothing", "nothing"),
          new Situation("its last upgrade failed")
              .last(Outcome.ROLLED_BACK, true)
              .expect("nothing failed:blocks", "failed"),
          new Situation("its last upgrade failed, which was cleared")
              .last(Outcome.ROLLED_BACK, false)
              .expect("nothing failed", "nothing"),
          new Situation("its last upgrade expired").last(Outcome.EXPIRED, true).expect("nothing ended", "nothing"),
          new Situation("a person's upgrade works on a step")
              .running(Optional.empty(), WaitSubject.HOST_WORK)
              .expect("upgrade step:works", "step"),
          new Situation("a rollout's upgrade soaks")
              .running(Optional.of("r"), WaitSubject.SOAK)
              .expect("rollout step:works", "step"),
          new Situation("an upgrade begins").running(Optional.empty()).expect("upgrade step:works", "step"),
          new Situation("a host of the upgrade is not heard")
              .running(Optional.empty(), WaitSubject.HOST_OFFLINE)
              .expect("upgrade offline:waits", "offline"),
          new Situation("the server's link was down")
              .running(Optional.empty(), WaitSubject.PRESENCE)
              .expect("upgrade presence-unknown:waits", "presence-unknown"),
          new Situation("a step failed and asks a person")
              .running(Optional.empty(), WaitSubject.DECISION)
              .expect("upgrade decision:blocks", "decision"),
          new Situation("the upgrade waits for an approval")
              .running(Optional.empty(), WaitSubject.APPROVAL)
              .expect("upgrade approval:blocks", "approval"),
          new Situation("the upgrade waits for its window")
              .running(Optional.empty(), WaitSubject.WINDOW)
              .expect("upgrade window:waits", "window"),
          new Situation("the upgrade is prepared and waits for its rollout")
              .running(Optional.of("r"), WaitSubject.ROLLOUT)
              .expect("rollout turn:waits", "turn"),
          new Situation("the upgrade tries a step again later")
              .running(Optional.empty(), WaitSubject.BACK_OFF)
              .expect("upgrade back-off:waits", "back-off"),
          new Situation("the upgrade is paused").pausedUpgrade().expect("upgrade paused:blocks", "paused"),
          new Situation("the workflow of the upgrade is stuck").stuckUpgrade().expect("upgrade stuck:blocks", "stuck"),
          new Situation("the upgrade runs and Temporal is away")
              .unknownUpgrade()
              .expect("upgrade unknown:works", "unknown"),
          new Situation("the upgrade rolls back").failingUpgrade().expect("upgrade failed step:works", "step"),
          new Situation("an upgrade runs, and the device is held meanwhile")
              .running(Optional.empty(), WaitSubject.HOST_WORK)
              .held(false)
              .expect("upgrade held step:works", "step"),
          new Situation("its turn comes").rollout(RolloutState.RUNNING, 1).expect("rollout turn:waits", "turn"),
          new Situation("held").rollout(RolloutState.RUNNING, 1).held(false).expect("rollout held:blocks", "held"),
          new Situation("held until tomorrow")
              .rollout(RolloutState.RUNNING, 1)
              .held(true)
              .expect("rollout held:waits", "held"),
          new Situation("the tenant is stopped")
              .rollout(RolloutState.RUNNING, 1)
              .stopped()
              .expect("rollout stopped:blocks", "stopped"),
          new Situation("pinned at what it runs")
              .rollout(RolloutState.RUNNING, 1)
              .pinned(Optional.empty(), false)
              .expect("rollout pinned:blocks", "pinned"),
          new Situation("pinned at another version")
              .rollout(RolloutState.RUNNING, 1)
              .pinned(Optional.of("1.0"), false)
              .expect("rollout pinned:blocks", "pinned"),
          new Situation("pinned at the version of the rollout")
              .rollout(RolloutState.RUNNING, 1)
              .pinned(Optional.of("2.0"), false)
              .expect("rollout pinned turn:waits", "turn"),
          new Situation("pinned on the host itself")
              .rollout(RolloutState.RUNNING, 1)
              .pinned(Optional.empty(), true)
              .expect("rollout pinned:blocks", "pinned"),
          new Situation("halted for a barrier")
              .rollout(RolloutState.RUNNING, 1)
              .halted()
              .expect("rollout pinned:waits", "pinned"),
          new Situation("the rollout starts tomorrow")
              .rollout(RolloutState.PLANNED, 1)
              .expect("rollout planned:waits", "planned"),
          new Situation("the rollout is paused by a person")
              .rollout(RolloutState.PAUSED, 1)
              .expect("rollout paused:blocks", "paused"),
          new Situation("the rollout paused itself")
              .rollout(RolloutState.PAUSED, 1)
              .byThreshold()
              .expect("rollout threshold:blocks", "threshold"),
          new Situation("a wave waits for an approval")
              .rollout(RolloutState.WAITING_APPROVAL, 2)
              .expect("rollout approval:blocks", "approval"),
          new Situation("a wave is rolled back")
              .rollout(RolloutState.ROLLING_BACK, 2)
              .expect("rollout rolling-back:blocks", "rolling-back"),
          new Situation("the rollout is aborted")
              .rollout(RolloutState.ABORTING, 2)
              .expect("rollout aborting:blocks", "aborting"),
          new Situation("an earlier wave soaks")
              .rollout(RolloutState.RUNNING, 2)
              .waitsFor(WaitReason.SOAK)
              .expect("rollout earlier-wave:waits", "earlier-wave"),
          new Situation("no place is left")
              .rollout(RolloutState.RUNNING, 1)
              .waitsFor(WaitReason.MAX_PARALLEL)
              .expect("rollout place:waits", "place"),
          new Situation("no place is left in its group")
              .rollout(RolloutState.RUNNING, 1)
              .waitsFor(WaitReason.GROUP_LIMIT)
              .expect("rollout place:waits", "place"),
          new Situation("another rollout comes first")
              .rollout(RolloutState.RUNNING, 1)
              .waitsFor(WaitReason.LOWER_PRIORITY)
              .expect("rollout lower-priority:waits", "lower-priority"),
          new Situation("two rollouts want it")
              .rollout(RolloutState.RUNNING, 1)
              .rollout(RolloutState.RUNNING, 1)
              .expect("rollout lower-priority turn:waits", "turn"),
          new Situation("between two attempts")
              .rollout(RolloutState.RUNNING, 1)
              .backOff()
              .expect("rollout back-off:waits", "back-off"),
          new Situation("not heard when its turn came")
              .rollout(RolloutState.RUNNING, 1)
              .offlineTarget()
              .host(HostPresenceState.SILENT)
              .expect("rollout offline:waits offline:waits", "offline"),
          new Situation("another package is upgraded")
              .rollout(RolloutState.RUNNING, 1)
              .busy()
              .expect("rollout device-busy:waits", "device-busy"),
          new Situation("the window is closed")
              .rollout(RolloutState.RUNNING, 1)
              .window("22:00")
              .expect("rollout window:waits", "window"),
          new Situation("the window is open")
              .rollout(RolloutState.RUNNING, 1)
              .window("11:00")
              .expect("rollout window-open turn:waits", "turn"),
          new Situation("no window opens")
              .rollout(RolloutState.RUNNING, 1)
              .neverOpen()
              .expect("rollout no-window:blocks", "no-window"),
          new Situation("held outranks a closed window")
              .rollout(RolloutState.RUNNING, 1)
              .window("22:00")
              .held(false)
              .expect("rollout held:blocks window:waits", "held"),
          new Situation("the server has just started")
              .rollout(RolloutState.RUNNING, 1)
              .host(HostPresenceState.UNKNOWN)
              .expect("rollout presence-unknown:waits", "presence-unknown"),
          new Situation("it failed on this device before")
              .rollout(RolloutState.RUNNING, 1)
              .refused("failed-before")
              .last(Outcome.ROLLED_BACK, true)
              .expect("rollout failed-before:blocks", "failed-before"),
          new Situation("no driver")
              .rollout(RolloutState.RUNNING, 1)
              .refused("no-driver")
              .expect("rollout declined:blocks", "declined"),
          new Situation("two machines are one host")
              .rollout(RolloutState.RUNNING, 1)
              .refused("duplicate-host")
              .expect("rollout declined:blocks", "declined"),
          new Situation("the device has no hosts")
              .rollout(RolloutState.RUNNING, 1)
              .withoutHosts()
              .expect("rollout no-hosts:blocks", "no-hosts"),
          new Situation("it is being started")
              .rollout(RolloutState.RUNNING, 1)
              .target(TargetState.STARTING, null)
              .expect("rollout step:works", "step"),
          new Situation("it is reverted with its wave")
              .rollout(RolloutState.ROLLING_BACK, 1)
              .target(TargetState.REVERTING, null)
              .expect("rollout rolling-back:blocks rolling-back:works", "rolling-back"),
          new Situation("every host runs it already")
              .rollout(RolloutState.RUNNING, 1)
              .runs("2.0")
              .expect("rollout up-to-date:done", "up-to-date"),
          new Situation("a rollout brought it there")
              .rollout(RolloutState.ENDED, 1)
              .target(TargetState.ENDED, TargetResult.UPGRADED)
              .runs("2.0")
              .expect("nothing up-to-date:done", "up-to-date"),
          new Situation("a rollout brought it there, and it drifted away")
              .rollout(RolloutState.ENDED, 1)
              .target(TargetState.ENDED, TargetResult.UPGRADED)
              .expect("nothing drifted:blocks", "drifted"),
          new Situation("it failed in a rollout")
              .rollout(RolloutState.RUNNING, 1)
              .target(TargetState.ENDED, TargetResult.ROLLED_BACK)
              .last(Outcome.ROLLED_BACK, true)
              .expect("nothing failed:blocks", "failed"),
          new Situation("it declined in a rollout")
              .rollout(RolloutState.ENDED, 1)
              .target(TargetState.ENDED, TargetResult.DECLINED)
              .expect("nothing ended:blocks", "ended"),
          new Situation("it was offline until the end")
              .rollout(RolloutState.ENDED, 1)
              .target(TargetState.ENDED, TargetResult.OFFLINE)
              .expect("nothing offline:blocks", "offline"),
          new Situation("the rollout ended before its turn")
              .rollout(RolloutState.ENDED, 2)
              .target(TargetState.PENDING, null)
              .expect("nothing ended:blocks", "ended"),
          new Situation("it was skipped")
              .rollout(RolloutState.RUNNING, 1)
              .target(TargetState.SKIPPED, null)
              .expect("nothing skipped:blocks", "skipped"),
          new Situation("it was reverted")
              .rollout(RolloutState.PAUSED, 1)
              .target(TargetState.REVERTED, TargetResult.UPGRADED)
              .expect("nothing reverted:blocks", "reverted"),
          new Situation("it was left out")
              .rollout(RolloutState.RUNNING, 1)
              .excluded()
              .expect("nothing excluded:blocks", "excluded"),
          new Situation("a policy wants it and has started nothing yet")
              .policy("waiting", true)
              .expect("policy policy:waits", "policy"),
          new Situation("a policy wants it by a rollout")
              .policy("in-progress", true)
              .rollout(RolloutState.RUNNING, 1)
              .expect("policy rollout turn:waits", "turn"),
          new Situation("a policy does not try again")
              .policy("failed", true)
              .refused("failed-before")
              .expect("policy policy:blocks failed-before:blocks", "policy"),
          new Situation("a policy is satisfied")
              .policy("satisfied", true)
              .runs("2.0")
              .expect("policy up-to-date:done", "up-to-date"),
          new Situation("a newer version runs than a policy asks for")
              .policyThatIsMet()
              .expect("policy policy:done", "policy"),
          new Situation("a policy does not go on after an abort")
              .policyBecause("blocked", "rollout-aborted", Optional.empty())
              .expect("policy policy:blocks", "policy"),
          new Situation("a policy waits for its release")
              .policyBecause("blocked", "no-release", Optional.empty())
              .expect("policy policy:blocks", "policy"),
          new Situation("a hold that ends by itself keeps a policy waiting")
              .policyBecause("blocked", "held", Optional.of(LATER))
              .held(true)
              .expect("policy held:waits policy:waits", "held"),
          new Situation("a policy is about to bring what is offered")
              .policyForOffers("waiting", "due")
              .expect("policy policy:waits", "policy"),
          new Situation("a policy brings what is offered by a rollout")
              .policyForOffers("in-progress", "upgrading")
              .rollout(RolloutState.RUNNING, 1)
              .expect("policy rollout turn:waits", "turn"),
          new Situation("nothing is offered any more")
              .policyForOffers("satisfied", "satisfied")
              .expect("policy up-to-date:done", "up-to-date"),
          new Situation("it failed with what is offered")
              .policyForOffers("failed", "failed-before")
              .refused("failed-before")
              .expect("policy policy:blocks failed-before:blocks", "policy"),
          new Situation("offers are unknown")
              .policyForOffers("unknown", "offers-unknown")
              .expect("policy policy:blocks", "policy"),
          new Situation("two policies want different versions")
              .policy("waiting", true)
              .policy("conflict", false)
              .expect("policy conflict policy:waits", "policy"),
          new Situation("the only policy is disabled").disabledPolicy().expect("policy nothing", "policy"),
          new Situation("a pin overrules the policy")
              .policy("blocked", true)
              .pinned(Optional.of("1.0"), false)
              .expect("policy pinned:blocks policy:blocks", "pinned"));

  @Test
  void aBarrierIsNamedWithItsEndAndWhatEndsItBefore() {
    Situation situation = new Situation("halted for a barrier").rollout(RolloutState.RUNNING, 1).halted();

    assertThat(Explanation.of(situation.facts(), NOW).toString())
        .contains(
            "till is halted for barrier schema-7 until " + LATER + ": a migration by ana",
            "`uplift barrier abort schema-7` ends it");
  }

  @ParameterizedTest
  @FieldSource("SITUATIONS")
  void isExplainedAsAChainWithOneAnswer(Situation situation) {
    Explanation explanation = Explanation.of(situation.facts(), NOW);

    String chain =
        explanation.links().stream()
            .map(link ->
                link.effect() == LinkEffect.INFORMS ? link.word().toString() : link.word() + ":" + link.effect())
            .collect(Collectors.joining(" "));
    assertThat(chain).isEqualTo(situation.chain);
    assertThat(explanation.answer().word()).hasToString(situation.answer);
    assertThat(explanation.links()).allSatisfy(link -> assertThat(link.message()).isNotBlank().doesNotContain("%s"));
  }

  @ParameterizedTest
  @FieldSource("SITUATIONS")
  void whatAPersonHasToDoIsSaid(Situation situation) {
    Explanation explanation = Explanation.of(situation.facts(), NOW);

    assertThat(explanation.links())
        .filteredOn(link -> link.effect() == LinkEffect.BLOCKS)
        .filteredOn(link -> link.word() != LinkWord.DECLINED && link.word() != LinkWord.POLICY)
        .allSatisfy(link -> assertThat(link.remedy()).isPresent());
  }

  @Test
  void aClosedWindowIsToldInLocalTimeAndUtc() {
    ExplanationLink window =
        Explanation.of(new Situation("").rollout(RolloutState.RUNNING, 1).window("22:00").facts(), NOW).answer();

    assertThat(window.until()).contains(Instant.parse("2026-11-25T21:00:00Z"));
    assertThat(window.message())
        .isEqualTo(
            "its maintenance window is closed; it opens next: Wed 2026-11-25 22:00+01:00 to Thu 2026-11-26 02:00+01:00"
                + " Europe/Berlin, 2026-11-25T21:00:00Z to 2026-11-26T01:00:00Z");
    assertThat(window.opening()).isPresent();
  }

  @Test
  void whatCanBeDoneAboutAPolicyIsSaid() {
    assertThat(remedyOf("rollout-aborted")).contains("`uplift policy enable stable` has it go on");
    assertThat(remedyOf("unknown-version"))
        .contains("`uplift policy update stable --unknown-version upgrade` has such devices upgraded");
    assertThat(remedyOf("no-release")).isPresent();
    assertThat(remedyOf("offers-unknown")).isPresent();
    assertThat(remedyOf("failed-before")).isEmpty();
  }

  private static Optional<String> remedyOf(String reason) {
    return Explanation.of(new Situation("").policyBecause("blocked", reason, Optional.empty()).facts(), NOW)
        .answer()
        .remedy();
  }

  @Test
  void theTimesOfAHoldAreTold() {
    ExplanationLink held =
        Explanation.of(new Situation("").rollout(RolloutState.RUNNING, 1).held(true).facts(), NOW).answer();

    assertThat(held.since()).contains(BEFORE);
    assertThat(held.until()).contains(LATER);
    assertThat(held.remedy()).contains("`uplift device release shop` ends it");
  }

  /// Facts under construction, and what is expected of them.
  static final class Situation {
    private final String name;
    private String chain = "";
    private String answer = "";

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

    Situation(String name) {
      this.name = name;
    }

    private static List<ObservedHost> hosts(String version, HostPresenceState presence) {
      return List.of(new ObservedHost(new HostId("left"), version, presence, BEFORE));
    }

    Situation expect(String words, String word) {
      chain = words;
      answer = word;
      return this;
    }

    Situation host(HostPresenceState presence) {
      hosts = hosts("1.0", presence);
      return this;
    }

    Situation runs(String version) {
      hosts = hosts(version, HostPresenceState.ONLINE);
      return this;
    }

    Situation withoutHosts() {
      hosts = List.of();
      return this;
    }

    Situation held(boolean until) {
      hold = Optional.of(new ActiveHold("stock taking", "ana", BEFORE, until ? Optional.of(LATER) : Optional.empty()));
      return this;
    }

    Situation stopped() {
      stop = Optional.of(new ActiveStop("incident", "ana", BEFORE));
      return this;
    }

    Situation pinned(Optional<String> version, boolean onHost) {
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

    Situation halted() {
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

    Situation policy(String state, boolean decides) {
      policies.add(
          new ApplicablePolicy(
              "stable", true, Optional.of("2.0"), false, decides, state, "because", "said so", Optional.empty()));
      return this;
    }

    Situation disabledPolicy() {
      policies.add(
          new ApplicablePolicy(
              "stable", false, Optional.of("2.0"), false, false, "disabled", "disabled", "said so", Optional.empty()));
      return this;
    }

    Situation policyBecause(String state, String reason, Optional<Instant> until) {
      policies.add(
          new ApplicablePolicy("stable", true, Optional.of("2.0"), false, true, state, reason, "said so", until));
      return this;
    }

    /// It brings 2.0, which runs, with what the repositories offer.
    Situation policyForOffers(String state, String reason) {
      policies.add(
          new ApplicablePolicy(
              "stable", true, Optional.of("2.0"), true, true, state, reason, "said so", Optional.empty()));
      return runs("2.0");
    }

    /// At least a version that is older than what runs.
    Situation policyThatIsMet() {
      policies.add(
          new ApplicablePolicy(
              "stable", true, Optional.empty(), false, true, "satisfied", "satisfied", "said so", Optional.empty()));
      return this;
    }

    Situation running(Optional<String> rollout, WaitSubject... subjects) {
      List<StepWait> waits = new ArrayList<>();
      for (WaitSubject subject : subjects) {
        waits.add(new StepWait(subject, "upgrade", new HostId("left"), "since long", BEFORE, Optional.of(LATER)));
      }
      return running("till", rollout, waits, Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());
    }

    Situation busy() {
      return running(
          "os", Optional.empty(), List.of(), Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());
    }

    Situation pausedUpgrade() {
      return running(
          "till",
          Optional.empty(),
          List.of(),
          Optional.of("ana"),
          Optional.empty(),
          Optional.empty(),
          Optional.empty());
    }

    Situation stuckUpgrade() {
      return running(
          "till",
          Optional.empty(),
          List.of(),
          Optional.empty(),
          Optional.empty(),
          Optional.of("its workflow does not continue"),
          Optional.empty());
    }

    Situation unknownUpgrade() {
      return running(
          "till",
          Optional.empty(),
          List.of(),
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          Optional.of("Temporal is not reached"));
    }

    Situation failingUpgrade() {
      return running(
          "till",
          Optional.empty(),
          List.of(),
          Optional.empty(),
          Optional.of(Reason.error(ErrorClass.FINAL, "exit-1", "the script failed")),
          Optional.empty(),
          Optional.empty());
    }

    private Situation running(
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

    Situation rollout(RolloutState state, int wave) {
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

    Situation target(TargetState state, @Nullable TargetResult result) {
      return member(member(state, result, Optional.empty(), Optional.empty()));
    }

    Situation backOff() {
      return member(member(TargetState.PENDING, null, Optional.of(LATER), Optional.empty()));
    }

    Situation offlineTarget() {
      return member(member(TargetState.PENDING, null, Optional.empty(), Optional.of(BEFORE)));
    }

    private Situation member(MemberTarget target) {
      MemberRollout rollout = rollouts.removeLast();
      rollouts.add(replaced(rollout, rollout.pause(), rollout.byThreshold(), Optional.of(target), Optional.empty()));
      return this;
    }

    Situation excluded() {
      MemberRollout rollout = rollouts.removeLast();
      rollouts.add(
          replaced(rollout, rollout.pause(), false, Optional.empty(), Optional.of(new LeftOut("held", "held by ana"))));
      return this;
    }

    Situation waitsFor(WaitReason reason) {
      MemberRollout rollout = rollouts.removeLast();
      var wait = new RolloutPause(reason, "1 device waits", BEFORE, Optional.of(LATER));
      rollouts.add(replaced(rollout, Optional.of(wait), false, rollout.target(), Optional.empty()));
      return this;
    }

    Situation byThreshold() {
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

    Situation window(String start) {
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

    Situation neverOpen() {
      return window("22:00").window("10:00");
    }

    Situation refused(String code) {
      refusal = Optional.of(Reason.error(ErrorClass.DECLINED, code, "said so"));
      return this;
    }

    Situation last(Outcome outcome, boolean counts) {
      Optional<Reason> reason =
          outcome == Outcome.UPGRADED
              ? Optional.empty()
              : Optional.of(
                  new Reason(
                      outcome == Outcome.EXPIRED ? Reason.Kind.DEADLINE : Reason.Kind.ERROR, "exit-1", "it failed"));
      last =
          Optional.of(new EndedUpgrade("u0", "2.0", outcome, reason, "ana", BEFORE, Optional.empty(), false, counts));
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
}
