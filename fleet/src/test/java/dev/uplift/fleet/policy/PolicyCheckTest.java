package dev.uplift.fleet.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.fleet.DeviceId;
import dev.uplift.fleet.OfferedUpdates.State;
import dev.uplift.fleet.Release;
import dev.uplift.fleet.UpgradeCheck;
import dev.uplift.fleet.policy.PolicyCheck.Halt;
import dev.uplift.fleet.rollout.RolloutState;
import dev.uplift.fleet.rollout.TargetState;
import dev.uplift.fleet.rollout.WaitReason;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/// Every case is a policy for 1.5.0, whose sequence is 150, and a device with one host on 1.4.0, unless it says more.
final class PolicyCheckTest {
  private static final Instant NOW = Facts.NOW;
  private static final ResolvedTarget EXACTLY = new ResolvedTarget(new Release("os", "1.5.0"), 150, false);
  private static final ResolvedTarget AT_LEAST = new ResolvedTarget(new Release("os", "1.5.0"), 150, true);
  private static final ResolvedTarget OTHER = new ResolvedTarget(new Release("os", "1.6.0"), 160, false);
  private static final ResolvedTarget OFFERED = new ResolvedTarget(new Release("os", "1.5.0"), 150, false, true);
  private static final UpgradeCheck NO_ACTION = new UpgradeCheck.NoAction();

  static final List<Case> CASES =
      List.of(
          of("an old version is due", "waiting due", facts -> facts),
          of("the version runs", "satisfied satisfied", facts -> facts.check(NO_ACTION)),
          of(
              "OH-57: already there, so nothing is done, although held",
              "satisfied satisfied",
              facts -> facts.check(NO_ACTION)),
          of("it has no hosts", "blocked no-hosts", Facts::withoutHosts),
          of("it is held", "blocked held", facts -> facts.declined("held")),
          of("it is pinned", "blocked pinned", facts -> facts.declined("pinned")),
          of(
              "a newer version runs, and this one is asked for",
              "blocked downgrade",
              facts -> facts.host("1.6.0", 160L).declined("downgrade")),
          of(
              "D-3: it failed before, and is not tried again by itself",
              "failed failed-before",
              facts -> facts.declined("failed-before")),
          of(
              "it runs a version that was never published",
              "unknown unknown-version",
              facts -> facts.host("9-custom", null)),
          of("it never reported a version", "unknown unknown-version", facts -> facts.host("unknown", null)),
          of("its upgrade runs", "in-progress upgrading", facts -> facts.place(TargetState.STARTED)),
          of("its upgrade is about to begin", "in-progress upgrading", facts -> facts.place(TargetState.STARTING)),
          of("it waits in a rollout", "waiting in-rollout", facts -> facts.place(TargetState.PENDING)),
          of(
              "its rollout is paused",
              "blocked rollout-paused",
              facts -> facts.pendingIn(RolloutState.PAUSED, WaitReason.PAUSED, "paused by bob")),
          of(
              "a wave of its rollout is rolled back",
              "blocked rollout-paused",
              facts -> facts.pendingIn(RolloutState.ROLLING_BACK, WaitReason.ROLLING_BACK, "rolling wave 1 back")),
          of(
              "its rollout waits for an approval",
              "blocked waiting-approval",
              facts -> facts.pendingIn(RolloutState.WAITING_APPROVAL, WaitReason.APPROVAL, "wave 2 waits")),
          of(
              "its rollout knows of a stop of the tenant",
              "blocked stopped",
              facts -> facts.pendingIn(RolloutState.RUNNING, WaitReason.STOPPED, "acme was stopped")),
          of(
              "its rollout waits for a window",
              "waiting in-rollout",
              facts -> facts.pendingIn(RolloutState.RUNNING, WaitReason.WINDOW, "its window opens at noon")),
          of("its rollout has not begun", "waiting in-rollout", facts -> facts.pendingIn(RolloutState.PLANNED)),
          of(
              "its rollout is about to end without it",
              "waiting rollout-open",
              facts -> facts.pendingIn(RolloutState.ABORTING, WaitReason.ABORTING, "bob")),
          of(
              "it was left out of a rollout that goes on",
              "waiting rollout-open",
              facts -> facts.place(TargetState.SKIPPED)),
          of("it drifted while its rollout goes on", "waiting rollout-open", facts -> facts.place(TargetState.ENDED)),
          of("its time has not come", "waiting start", facts -> facts.startsAt(NOW.plusSeconds(60))),
          of("its time has come", "waiting due", facts -> facts.startsAt(NOW)),
          of(
              "an attempt failed a minute ago, for another reason than the release",
              "waiting back-off",
              facts -> facts.attempt(Duration.ofMinutes(1), false)),
          of("an attempt failed an hour ago", "waiting due", facts -> facts.attempt(Duration.ofHours(1), false)),
          of(
              "it drifted a minute after an upgrade",
              "waiting back-off",
              facts -> facts.attempt(Duration.ofMinutes(1), true)),
          of("it drifted long after an upgrade", "waiting due", facts -> facts.attempt(Duration.ofMinutes(10), true)),
          of("a host is silent", "waiting offline", facts -> facts.silent("left is silent")),
          of(
              "a silent host that runs the version",
              "satisfied satisfied",
              facts -> facts.silent("left is silent").check(NO_ACTION)),
          of("OH-58: another policy decides for another version", "conflict overruled", facts -> facts.decider(OTHER)),
          of("the policy that decides has no release", "conflict overruled", Facts::deciderWithoutRelease),
          of("another policy asks for the same", "waiting other-policy", facts -> facts.decider(EXACTLY)),
          of(
              "another policy asks for the same, and it runs",
              "satisfied satisfied",
              facts -> facts.decider(EXACTLY).check(NO_ACTION)),
          of(
              "OH-66: a conflict is not enacted, even if the upgrade could begin",
              "conflict overruled",
              facts -> facts.decider(OTHER).startsAt(NOW)));

  /// The policy asks for what is offered, and each host runs the newest release, 1.5.0.
  static final List<Case> OFFERED_CASES =
      List.of(
          of("updates are offered", "waiting due", facts -> facts.offers(State.NEW)),
          of("nothing is offered", "satisfied satisfied", Facts::offersNothing),
          of("the last upgrade has left what is offered", "satisfied satisfied", facts -> facts.offers(State.TAKEN)),
          of("an old release runs, and nothing is offered", "satisfied satisfied", facts -> facts.oldWithoutOffers()),
          of("its host does not say", "unknown offers-unknown", facts -> facts),
          of(
              "one host is offered nothing, the other does not say",
              "unknown offers-unknown",
              facts -> facts.offersNothing().secondHost("1.5.0", 150L)),
          of(
              "one host is offered updates, the other does not say",
              "waiting due",
              facts -> facts.offers(State.NEW).secondHost("1.5.0", 150L)),
          of(
              "it failed with what is offered",
              "failed failed-before",
              facts -> facts.offers(State.FAILED).declined("failed-before")),
          of("it is held", "blocked held", facts -> facts.offers(State.NEW).declined("held")),
          of("it has no driver", "blocked no-driver", facts -> facts.offers(State.NEW).declined("no-driver")),
          of("it has no hosts", "blocked no-hosts", Facts::withoutHosts),
          of("its version was never published", "unknown unknown-version", facts -> facts.unpublishedWithOffers()),
          of("its upgrade runs", "in-progress upgrading", facts -> facts.offers(State.NEW).place(TargetState.STARTED)),
          of(
              "its upgrade runs, and has installed what was offered",
              "in-progress upgrading",
              facts -> facts.offersNothing().place(TargetState.STARTED)),
          of(
              "more is offered while its rollout goes on",
              "waiting rollout-open",
              facts -> facts.offers(State.NEW).place(TargetState.ENDED)),
          of(
              "more is offered a minute after an upgrade",
              "waiting back-off",
              facts -> facts.offers(State.NEW).attempt(Duration.ofMinutes(1), true)),
          of(
              "more is offered long after an upgrade",
              "waiting due",
              facts -> facts.offers(State.NEW).attempt(Duration.ofMinutes(10), true)),
          of(
              "its window has not opened",
              "waiting start",
              facts -> facts.offers(State.NEW).startsAt(NOW.plusSeconds(60))),
          of("a host is silent", "waiting offline", facts -> facts.offers(State.NEW).silent("left is silent")),
          of(
              "another policy decides for the version that runs, and patches nothing",
              "conflict overruled",
              facts -> facts.offers(State.NEW).decider(EXACTLY)),
          of(
              "another policy decides, and asks for what is offered too",
              "waiting other-policy",
              facts -> facts.offers(State.NEW).decider(OFFERED)));

  @ParameterizedTest
  @FieldSource("OFFERED_CASES")
  void aDeviceHasOneStateWithWhatItsHostsAreOffered(Case one) {
    PolicyDeviceStatus status =
        new PolicyCheck(OFFERED, UnknownVersion.LEAVE, Optional.empty(), NOW).check(one.facts());

    assertThat(status.state() + " " + status.reason()).isEqualTo(one.expected());
    assertThat(status.isDue()).isEqualTo(status.reason().equals("due"));
    assertThat(status.message()).isNotBlank();
  }

  @Test
  void whatIsOfferedIsSaid() {
    PolicyCheck check = new PolicyCheck(OFFERED, UnknownVersion.LEAVE, Optional.empty(), NOW);

    assertThat(check.check(new Facts().offers(State.NEW).build()).message())
        .isEqualTo("begins with os 1.5.0: left is offered 3 updates, 1 for security, since 2026-11-25T11:00:00Z");
    assertThat(check.check(new Facts().offers(State.TAKEN).build()).message())
        .isEqualTo(
            "the last upgrade has left what left is offered: 3 updates, 1 for security, since 2026-11-25T11:00:00Z");
    assertThat(check.check(new Facts().offersNothing().build()).message()).isEqualTo("is offered nothing");
    assertThat(check.check(new Facts().build()).message()).isEqualTo("left does not say what its repositories offer");
  }

  @Test
  void aPolicyForAVersionIsMetByOneThatBringsItWithWhatIsOffered() {
    assertThat(state(EXACTLY, new Facts().decider(OFFERED))).isEqualTo(PolicyDeviceState.WAITING);
    assertThat(state(AT_LEAST, new Facts().decider(OFFERED))).isEqualTo(PolicyDeviceState.WAITING);
  }

  @ParameterizedTest
  @FieldSource("CASES")
  void aDeviceHasOneState(Case one) {
    PolicyDeviceStatus status =
        new PolicyCheck(EXACTLY, UnknownVersion.LEAVE, Optional.empty(), NOW).check(one.facts());

    assertThat(status.state() + " " + status.reason()).isEqualTo(one.expected());
    assertThat(status.isDue()).isEqualTo(status.reason().equals("due"));
    assertThat(status.decides()).isEqualTo(one.facts().decider().isEmpty());
    assertThat(status.message()).isNotBlank();
  }

  @Test
  void aNewerVersionWillDoForAtLeast() {
    Facts newer = new Facts().host("1.6.0", 160L).declined("downgrade");

    assertThat(state(AT_LEAST, newer)).isEqualTo(PolicyDeviceState.SATISFIED);
    assertThat(state(EXACTLY, newer)).isEqualTo(PolicyDeviceState.BLOCKED);
    assertThat(state(AT_LEAST, newer.secondHost("1.4.0", 140L))).isEqualTo(PolicyDeviceState.BLOCKED);
  }

  @Test
  void aPolicyForAtLeastIsMetByOneThatBringsMore() {
    assertThat(state(AT_LEAST, new Facts().decider(OTHER))).isEqualTo(PolicyDeviceState.WAITING);
    assertThat(state(EXACTLY, new Facts().decider(OTHER))).isEqualTo(PolicyDeviceState.CONFLICT);
  }

  @Test
  void anUnknownVersionIsUpgradedWhereThePolicySaysSo() {
    PolicyDeviceFacts unknown = new Facts().host("9-custom", null).build();

    assertThat(new PolicyCheck(EXACTLY, UnknownVersion.UPGRADE, Optional.empty(), NOW).check(unknown).isDue()).isTrue();
  }

  @Test
  void afterAnAbortNothingMoreIsBegun() {
    var halted =
        new PolicyCheck(EXACTLY, UnknownVersion.LEAVE, Optional.of(Halt.rolloutAborted("aborted by ann")), NOW);

    assertThat(halted.check(new Facts().build()))
        .isEqualTo(
            new PolicyDeviceStatus(
                "north-1",
                PolicyDeviceState.BLOCKED,
                "rollout-aborted",
                "aborted by ann",
                true,
                Optional.empty(),
                false));
    assertThat(halted.check(new Facts().check(NO_ACTION).build()).state()).isEqualTo(PolicyDeviceState.SATISFIED);
  }

  @Test
  void inAStoppedTenantNothingIsBegun() {
    var stopped =
        new PolicyCheck(EXACTLY, UnknownVersion.LEAVE, Optional.of(Halt.stopped("acme was stopped by ann")), NOW);

    assertThat(stopped.check(new Facts().build()).isDue()).isFalse();
    assertThat(stopped.check(new Facts().build()).reason()).isEqualTo("stopped");
    assertThat(stopped.check(new Facts().place(TargetState.STARTED).build()).state())
        .isEqualTo(PolicyDeviceState.IN_PROGRESS);
  }

  @Test
  void whatItsRolloutWaitsForIsSaid() {
    var check = new PolicyCheck(EXACTLY, UnknownVersion.LEAVE, Optional.empty(), NOW);

    assertThat(
            check
                .check(new Facts().pendingIn(RolloutState.PAUSED, WaitReason.PAUSED, "paused by bob: too slow").build())
                .message())
        .isEqualTo("rollout r-1: paused by bob: too slow");
    assertThat(
            check
                .check(new Facts().pendingIn(RolloutState.RUNNING, WaitReason.SOAK, "wave 1 soaks until noon").build())
                .message())
        .isEqualTo("waits for its turn in rollout r-1: wave 1 soaks until noon");
    assertThat(check.check(new Facts().pendingIn(RolloutState.RUNNING).build()).message())
        .isEqualTo("waits for its turn in rollout r-1");
  }

  /// The rollout may not have looked since.
  @Test
  void aStopOfTheTenantBlocksADeviceInARolloutAtOnce() {
    var stopped =
        new PolicyCheck(EXACTLY, UnknownVersion.LEAVE, Optional.of(Halt.stopped("acme was stopped by ann")), NOW);

    PolicyDeviceStatus status = stopped.check(new Facts().pendingIn(RolloutState.RUNNING).build());

    assertThat(status.state() + " " + status.reason()).isEqualTo("blocked stopped");
    assertThat(status.message()).isEqualTo("acme was stopped by ann");
  }

  @Test
  void betweenTwoRunsADeviceWaits() {
    var between =
        new PolicyCheck(
            EXACTLY,
            UnknownVersion.LEAVE,
            Optional.of(Halt.nextRun(new PolicyRepeat.Cron("0 22 * * 6", ZoneId.of("UTC")))),
            NOW);

    PolicyDeviceStatus status = between.check(new Facts().build());

    assertThat(status.state() + " " + status.reason()).isEqualTo("waiting next-run");
    assertThat(status.message()).isEqualTo("begins with the next run (0 22 * * 6 UTC)");
    assertThat(status.isDue()).isFalse();
  }

  @Test
  void aHoldThatEndsByItselfSaysWhen() {
    Instant end = NOW.plus(Duration.ofHours(3));
    var check = new PolicyCheck(EXACTLY, UnknownVersion.LEAVE, Optional.empty(), NOW);

    assertThat(check.check(new Facts().declined("held").keptUntil(end).build()).until()).contains(end);
    assertThat(check.check(new Facts().declined("pinned").keptUntil(end).build()).until()).contains(end);
    assertThat(check.check(new Facts().declined("downgrade").keptUntil(end).build()).until()).isEmpty();
  }

  @Test
  void eachDeviceBeginsAtItsOwnPointOfTheSpan() {
    PolicyStart spread = new PolicyStart(Optional.of(NOW), Duration.ofHours(1));
    DeviceId device = new DeviceId("acme", "north-1");

    assertThat(spread.of(device, NOW.minusSeconds(9))).isEqualTo(spread.of(device, NOW.minusSeconds(7)));
    assertThat(spread.of(device, NOW)).isBetween(NOW, NOW.plus(Duration.ofHours(1)));
    assertThat(spread.of(new DeviceId("acme", "north-2"), NOW)).isNotEqualTo(spread.of(device, NOW));
    assertThat(PolicyStart.NOW.of(device, NOW)).isEqualTo(NOW);
  }

  private static PolicyDeviceState state(ResolvedTarget target, Facts facts) {
    return new PolicyCheck(target, UnknownVersion.LEAVE, Optional.empty(), NOW).check(facts.build()).state();
  }

  private static Case of(String name, String expected, UnaryOperator<Facts> facts) {
    return new Case(name, expected, facts.apply(new Facts()).build());
  }

  record Case(String name, String expected, PolicyDeviceFacts facts) {
    @Override
    public String toString() {
      return name;
    }
  }
}
