package dev.uplift.fleet.why;

import static dev.uplift.fleet.why.ExplanationSituation.BEFORE;
import static dev.uplift.fleet.why.ExplanationSituation.LATER;
import static dev.uplift.fleet.why.ExplanationSituation.NOW;
import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.fleet.Outcome;
import dev.uplift.fleet.rollout.RolloutState;
import dev.uplift.fleet.rollout.TargetResult;
import dev.uplift.fleet.rollout.TargetState;
import dev.uplift.fleet.rollout.WaitReason;
import dev.uplift.fleet.why.ExplanationFacts.HostPresenceState;
import dev.uplift.fleet.why.ExplanationFacts.WaitSubject;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/// Every situation is the package `till` on the device `shop`, whose host `left` runs 1.0, at noon UTC on a Wednesday.
final class ExplanationTest {
  /// The chain is written as its words in order, each with its effect unless it only informs; then the answer.
  static final List<ExplanationSituation> SITUATIONS =
      List.of(
          new ExplanationSituation("nothing wants it").expect("nothing", "nothing"),
          new ExplanationSituation("nothing wants it, and it is held").held(false).expect("nothing held", "nothing"),
          new ExplanationSituation("its last upgrade went well")
              .last(Outcome.UPGRADED, true)
              .expect("nothing", "nothing"),
          new ExplanationSituation("its last upgrade failed")
              .last(Outcome.ROLLED_BACK, true)
              .expect("nothing failed:blocks", "failed"),
          new ExplanationSituation("its last upgrade failed, which was cleared")
              .last(Outcome.ROLLED_BACK, false)
              .expect("nothing failed", "nothing"),
          new ExplanationSituation("its last upgrade expired")
              .last(Outcome.EXPIRED, true)
              .expect("nothing ended", "nothing"),
          new ExplanationSituation("a person's upgrade works on a step")
              .running(Optional.empty(), WaitSubject.HOST_WORK)
              .expect("upgrade step:works", "step"),
          new ExplanationSituation("a rollout's upgrade soaks")
              .running(Optional.of("r"), WaitSubject.SOAK)
              .expect("rollout step:works", "step"),
          new ExplanationSituation("an upgrade begins").running(Optional.empty()).expect("upgrade step:works", "step"),
          new ExplanationSituation("a host of the upgrade is not heard")
              .running(Optional.empty(), WaitSubject.HOST_OFFLINE)
              .expect("upgrade offline:waits", "offline"),
          new ExplanationSituation("the server's link was down")
              .running(Optional.empty(), WaitSubject.PRESENCE)
              .expect("upgrade presence-unknown:waits", "presence-unknown"),
          new ExplanationSituation("a step failed and asks a person")
              .running(Optional.empty(), WaitSubject.DECISION)
              .expect("upgrade decision:blocks", "decision"),
          new ExplanationSituation("the upgrade waits for an approval")
              .running(Optional.empty(), WaitSubject.APPROVAL)
              .expect("upgrade approval:blocks", "approval"),
          new ExplanationSituation("the upgrade waits for its window")
              .running(Optional.empty(), WaitSubject.WINDOW)
              .expect("upgrade window:waits", "window"),
          new ExplanationSituation("the upgrade is prepared and waits for its rollout")
              .running(Optional.of("r"), WaitSubject.ROLLOUT)
              .expect("rollout turn:waits", "turn"),
          new ExplanationSituation("the upgrade tries a step again later")
              .running(Optional.empty(), WaitSubject.BACK_OFF)
              .expect("upgrade back-off:waits", "back-off"),
          new ExplanationSituation("the upgrade is paused").pausedUpgrade().expect("upgrade paused:blocks", "paused"),
          new ExplanationSituation("the workflow of the upgrade is stuck")
              .stuckUpgrade()
              .expect("upgrade stuck:blocks", "stuck"),
          new ExplanationSituation("the upgrade runs and Temporal is away")
              .unknownUpgrade()
              .expect("upgrade unknown:works", "unknown"),
          new ExplanationSituation("the upgrade rolls back")
              .failingUpgrade()
              .expect("upgrade failed step:works", "step"),
          new ExplanationSituation("an upgrade runs, and the device is held meanwhile")
              .running(Optional.empty(), WaitSubject.HOST_WORK)
              .held(false)
              .expect("upgrade held step:works", "step"),
          new ExplanationSituation("its turn comes")
              .rollout(RolloutState.RUNNING, 1)
              .expect("rollout turn:waits", "turn"),
          new ExplanationSituation("held")
              .rollout(RolloutState.RUNNING, 1)
              .held(false)
              .expect("rollout held:blocks", "held"),
          new ExplanationSituation("held until tomorrow")
              .rollout(RolloutState.RUNNING, 1)
              .held(true)
              .expect("rollout held:waits", "held"),
          new ExplanationSituation("the tenant is stopped")
              .rollout(RolloutState.RUNNING, 1)
              .stopped()
              .expect("rollout stopped:blocks", "stopped"),
          new ExplanationSituation("pinned at what it runs")
              .rollout(RolloutState.RUNNING, 1)
              .pinned(Optional.empty(), false)
              .expect("rollout pinned:blocks", "pinned"),
          new ExplanationSituation("pinned at another version")
              .rollout(RolloutState.RUNNING, 1)
              .pinned(Optional.of("1.0"), false)
              .expect("rollout pinned:blocks", "pinned"),
          new ExplanationSituation("pinned at the version of the rollout")
              .rollout(RolloutState.RUNNING, 1)
              .pinned(Optional.of("2.0"), false)
              .expect("rollout pinned turn:waits", "turn"),
          new ExplanationSituation("pinned on the host itself")
              .rollout(RolloutState.RUNNING, 1)
              .pinned(Optional.empty(), true)
              .expect("rollout pinned:blocks", "pinned"),
          new ExplanationSituation("halted for a barrier")
              .rollout(RolloutState.RUNNING, 1)
              .halted()
              .expect("rollout pinned:waits", "pinned"),
          new ExplanationSituation("the rollout starts tomorrow")
              .rollout(RolloutState.PLANNED, 1)
              .expect("rollout planned:waits", "planned"),
          new ExplanationSituation("the rollout is paused by a person")
              .rollout(RolloutState.PAUSED, 1)
              .expect("rollout paused:blocks", "paused"),
          new ExplanationSituation("the rollout paused itself")
              .rollout(RolloutState.PAUSED, 1)
              .byThreshold()
              .expect("rollout threshold:blocks", "threshold"),
          new ExplanationSituation("a wave waits for an approval")
              .rollout(RolloutState.WAITING_APPROVAL, 2)
              .expect("rollout approval:blocks", "approval"),
          new ExplanationSituation("a wave is rolled back")
              .rollout(RolloutState.ROLLING_BACK, 2)
              .expect("rollout rolling-back:blocks", "rolling-back"),
          new ExplanationSituation("the rollout is aborted")
              .rollout(RolloutState.ABORTING, 2)
              .expect("rollout aborting:blocks", "aborting"),
          new ExplanationSituation("an earlier wave soaks")
              .rollout(RolloutState.RUNNING, 2)
              .waitsFor(WaitReason.SOAK)
              .expect("rollout earlier-wave:waits", "earlier-wave"),
          new ExplanationSituation("no place is left")
              .rollout(RolloutState.RUNNING, 1)
              .waitsFor(WaitReason.MAX_PARALLEL)
              .expect("rollout place:waits", "place"),
          new ExplanationSituation("no place is left in its group")
              .rollout(RolloutState.RUNNING, 1)
              .waitsFor(WaitReason.GROUP_LIMIT)
              .expect("rollout place:waits", "place"),
          new ExplanationSituation("another rollout comes first")
              .rollout(RolloutState.RUNNING, 1)
              .waitsFor(WaitReason.LOWER_PRIORITY)
              .expect("rollout lower-priority:waits", "lower-priority"),
          new ExplanationSituation("two rollouts want it")
              .rollout(RolloutState.RUNNING, 1)
              .rollout(RolloutState.RUNNING, 1)
              .expect("rollout lower-priority turn:waits", "turn"),
          new ExplanationSituation("between two attempts")
              .rollout(RolloutState.RUNNING, 1)
              .backOff()
              .expect("rollout back-off:waits", "back-off"),
          new ExplanationSituation("not heard when its turn came")
              .rollout(RolloutState.RUNNING, 1)
              .offlineTarget()
              .host(HostPresenceState.SILENT)
              .expect("rollout offline:waits offline:waits", "offline"),
          new ExplanationSituation("another package is upgraded")
              .rollout(RolloutState.RUNNING, 1)
              .busy()
              .expect("rollout device-busy:waits", "device-busy"),
          new ExplanationSituation("the window is closed")
              .rollout(RolloutState.RUNNING, 1)
              .window("22:00")
              .expect("rollout window:waits", "window"),
          new ExplanationSituation("the window is open")
              .rollout(RolloutState.RUNNING, 1)
              .window("11:00")
              .expect("rollout window-open turn:waits", "turn"),
          new ExplanationSituation("no window opens")
              .rollout(RolloutState.RUNNING, 1)
              .neverOpen()
              .expect("rollout no-window:blocks", "no-window"),
          new ExplanationSituation("held outranks a closed window")
              .rollout(RolloutState.RUNNING, 1)
              .window("22:00")
              .held(false)
              .expect("rollout held:blocks window:waits", "held"),
          new ExplanationSituation("the server has just started")
              .rollout(RolloutState.RUNNING, 1)
              .host(HostPresenceState.UNKNOWN)
              .expect("rollout presence-unknown:waits", "presence-unknown"),
          new ExplanationSituation("it failed on this device before")
              .rollout(RolloutState.RUNNING, 1)
              .refused("failed-before")
              .last(Outcome.ROLLED_BACK, true)
              .expect("rollout failed-before:blocks", "failed-before"),
          new ExplanationSituation("no driver")
              .rollout(RolloutState.RUNNING, 1)
              .refused("no-driver")
              .expect("rollout declined:blocks", "declined"),
          new ExplanationSituation("two machines are one host")
              .rollout(RolloutState.RUNNING, 1)
              .refused("duplicate-host")
              .expect("rollout declined:blocks", "declined"),
          new ExplanationSituation("the device has no hosts")
              .rollout(RolloutState.RUNNING, 1)
              .withoutHosts()
              .expect("rollout no-hosts:blocks", "no-hosts"),
          new ExplanationSituation("it is being started")
              .rollout(RolloutState.RUNNING, 1)
              .target(TargetState.STARTING, null)
              .expect("rollout step:works", "step"),
          new ExplanationSituation("it is reverted with its wave")
              .rollout(RolloutState.ROLLING_BACK, 1)
              .target(TargetState.REVERTING, null)
              .expect("rollout rolling-back:blocks rolling-back:works", "rolling-back"),
          new ExplanationSituation("every host runs it already")
              .rollout(RolloutState.RUNNING, 1)
              .runs("2.0")
              .expect("rollout up-to-date:done", "up-to-date"),
          new ExplanationSituation("a rollout brought it there")
              .rollout(RolloutState.ENDED, 1)
              .target(TargetState.ENDED, TargetResult.UPGRADED)
              .runs("2.0")
              .expect("nothing up-to-date:done", "up-to-date"),
          new ExplanationSituation("a rollout brought it there, and it drifted away")
              .rollout(RolloutState.ENDED, 1)
              .target(TargetState.ENDED, TargetResult.UPGRADED)
              .expect("nothing drifted:blocks", "drifted"),
          new ExplanationSituation("it failed in a rollout")
              .rollout(RolloutState.RUNNING, 1)
              .target(TargetState.ENDED, TargetResult.ROLLED_BACK)
              .last(Outcome.ROLLED_BACK, true)
              .expect("nothing failed:blocks", "failed"),
          new ExplanationSituation("it declined in a rollout")
              .rollout(RolloutState.ENDED, 1)
              .target(TargetState.ENDED, TargetResult.DECLINED)
              .expect("nothing ended:blocks", "ended"),
          new ExplanationSituation("it was offline until the end")
              .rollout(RolloutState.ENDED, 1)
              .target(TargetState.ENDED, TargetResult.OFFLINE)
              .expect("nothing offline:blocks", "offline"),
          new ExplanationSituation("the rollout ended before its turn")
              .rollout(RolloutState.ENDED, 2)
              .target(TargetState.PENDING, null)
              .expect("nothing ended:blocks", "ended"),
          new ExplanationSituation("it was skipped")
              .rollout(RolloutState.RUNNING, 1)
              .target(TargetState.SKIPPED, null)
              .expect("nothing skipped:blocks", "skipped"),
          new ExplanationSituation("it was reverted")
              .rollout(RolloutState.PAUSED, 1)
              .target(TargetState.REVERTED, TargetResult.UPGRADED)
              .expect("nothing reverted:blocks", "reverted"),
          new ExplanationSituation("it was left out")
              .rollout(RolloutState.RUNNING, 1)
              .excluded()
              .expect("nothing excluded:blocks", "excluded"),
          new ExplanationSituation("a policy wants it and has started nothing yet")
              .policy("waiting", true)
              .expect("policy policy:waits", "policy"),
          new ExplanationSituation("a policy wants it by a rollout")
              .policy("in-progress", true)
              .rollout(RolloutState.RUNNING, 1)
              .expect("policy rollout turn:waits", "turn"),
          new ExplanationSituation("a policy does not try again")
              .policy("failed", true)
              .refused("failed-before")
              .expect("policy policy:blocks failed-before:blocks", "policy"),
          new ExplanationSituation("a policy is satisfied")
              .policy("satisfied", true)
              .runs("2.0")
              .expect("policy up-to-date:done", "up-to-date"),
          new ExplanationSituation("a newer version runs than a policy asks for")
              .policyThatIsMet()
              .expect("policy policy:done", "policy"),
          new ExplanationSituation("a policy does not go on after an abort")
              .policyBecause("blocked", "rollout-aborted", Optional.empty())
              .expect("policy policy:blocks", "policy"),
          new ExplanationSituation("a policy waits for its release")
              .policyBecause("blocked", "no-release", Optional.empty())
              .expect("policy policy:blocks", "policy"),
          new ExplanationSituation("a hold that ends by itself keeps a policy waiting")
              .policyBecause("blocked", "held", Optional.of(LATER))
              .held(true)
              .expect("policy held:waits policy:waits", "held"),
          new ExplanationSituation("a policy is about to bring what is offered")
              .policyForOffers("waiting", "due")
              .expect("policy policy:waits", "policy"),
          new ExplanationSituation("a policy brings what is offered by a rollout")
              .policyForOffers("in-progress", "upgrading")
              .rollout(RolloutState.RUNNING, 1)
              .expect("policy rollout turn:waits", "turn"),
          new ExplanationSituation("nothing is offered any more")
              .policyForOffers("satisfied", "satisfied")
              .expect("policy up-to-date:done", "up-to-date"),
          new ExplanationSituation("it failed with what is offered")
              .policyForOffers("failed", "failed-before")
              .refused("failed-before")
              .expect("policy policy:blocks failed-before:blocks", "policy"),
          new ExplanationSituation("offers are unknown")
              .policyForOffers("unknown", "offers-unknown")
              .expect("policy policy:blocks", "policy"),
          new ExplanationSituation("two policies want different versions")
              .policy("waiting", true)
              .policy("conflict", false)
              .expect("policy conflict policy:waits", "policy"),
          new ExplanationSituation("the only policy is disabled").disabledPolicy().expect("policy nothing", "policy"),
          new ExplanationSituation("a pin overrules the policy")
              .policy("blocked", true)
              .pinned(Optional.of("1.0"), false)
              .expect("policy pinned:blocks policy:blocks", "pinned"));

  @Test
  void aBarrierIsNamedWithItsEndAndWhatEndsItBefore() {
    ExplanationSituation situation =
        new ExplanationSituation("halted for a barrier").rollout(RolloutState.RUNNING, 1).halted();

    assertThat(Explanation.of(situation.facts(), NOW).toString())
        .contains(
            "till is halted for barrier schema-7 until " + LATER + ": a migration by ana",
            "`uplift barrier abort schema-7` ends it");
  }

  @ParameterizedTest
  @FieldSource("SITUATIONS")
  void isExplainedAsAChainWithOneAnswer(ExplanationSituation situation) {
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
  void whatAPersonHasToDoIsSaid(ExplanationSituation situation) {
    Explanation explanation = Explanation.of(situation.facts(), NOW);

    assertThat(explanation.links())
        .filteredOn(link -> link.effect() == LinkEffect.BLOCKS)
        .filteredOn(link -> link.word() != LinkWord.DECLINED && link.word() != LinkWord.POLICY)
        .allSatisfy(link -> assertThat(link.remedy()).isPresent());
  }

  @Test
  void aClosedWindowIsToldInLocalTimeAndUtc() {
    ExplanationLink window =
        Explanation.of(new ExplanationSituation("").rollout(RolloutState.RUNNING, 1).window("22:00").facts(), NOW)
            .answer();

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
    return Explanation.of(new ExplanationSituation("").policyBecause("blocked", reason, Optional.empty()).facts(), NOW)
        .answer()
        .remedy();
  }

  @Test
  void theTimesOfAHoldAreTold() {
    ExplanationLink held =
        Explanation.of(new ExplanationSituation("").rollout(RolloutState.RUNNING, 1).held(true).facts(), NOW).answer();

    assertThat(held.since()).contains(BEFORE);
    assertThat(held.until()).contains(LATER);
    assertThat(held.remedy()).contains("`uplift device release shop` ends it");
  }
}
