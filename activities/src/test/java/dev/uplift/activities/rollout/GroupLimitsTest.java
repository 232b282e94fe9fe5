package dev.uplift.activities.rollout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.uplift.activities.NatsTestHost;
import dev.uplift.fleet.DeviceId;
import dev.uplift.fleet.rollout.WaitReason;
import dev.uplift.fleet.rollout.plan.GroupLimit;
import dev.uplift.fleet.rollout.plan.RolloutLimits;
import dev.uplift.fleet.rollout.plan.RolloutPlan;
import dev.uplift.services.TestStacks;
import dev.uplift.services.presence.Presence;
import dev.uplift.services.presence.PresenceStatus;
import dev.uplift.services.rollout.RolloutRules;
import dev.uplift.store.rollout.RolloutWait;
import dev.uplift.store.rollout.TargetRow;
import dev.uplift.store.upgrade.NewUpgrade;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Of a pair of devices at most one is in progress, silent or not verified.
final class GroupLimitsTest extends HeartbeatRolloutScenario {
  private static final Map<String, String> PAIR = Map.of("pair", "one");
  private static final Duration A_WHILE = Duration.ofSeconds(3);

  private NatsTestHost left;
  private NatsTestHost right;

  @BeforeEach
  void pair() throws Exception {
    left = device("left", PAIR);
    right = device("right", PAIR);
  }

  @Test
  void whileOneIsSilentTheOtherIsNotStarted() throws Exception {
    Presence presence = startListening(A_WHILE);
    awaitSilent(presence, right);
    beatUntilHeard(presence, left);
    createRollout(onePerPair(), "left");

    assertThat(started(presence)).isEmpty();
    assertThat(waits()).isEqualTo(WaitReason.GROUP_LIMIT);
    assertThat(waiting().message()).contains("1 of pair = one in progress, silent or not verified");

    await()
        .until(() -> {
          beatUntilHeard(presence, right);
          beatUntilHeard(presence, left);
          return started(presence).equals(List.of("left"));
        });
  }

  @Test
  void theSilentOneTakesThePlaceAndIsNotStartedEither() throws Exception {
    Presence presence = startListening(A_WHILE);
    awaitSilent(presence, right);
    beatUntilHeard(presence, left);
    createRollout(onePerPair(), "left", "right");

    assertThat(started(presence)).isEmpty();
    assertThat(waiting().message())
        .contains("group-limit: 1 device (left: 1 of pair = one in progress, silent or not verified, at most 1)")
        .contains("offline: 1 device (right: %s is not heard since".formatted(right.id()));

    await()
        .until(() -> {
          beatUntilHeard(presence, right);
          beatUntilHeard(presence, left);
          return started(presence).equals(List.of("left"));
        });
  }

  @Test
  void whileThisServerCannotHearAnyHostNothingIsStarted() {
    createRollout(onePerPair(), "left");

    assertThat(started(presence(SOON))).isEmpty();
    assertThat(waits()).isEqualTo(WaitReason.PRESENCE_UNKNOWN);
  }

  @Test
  void anUpgradeByAPersonIsCountedToo() throws Exception {
    Presence presence = startListening(NEVER);
    beatUntilHeard(presence, left);
    createRollout(onePerPair(), "left");
    RolloutPlan plan = plan();
    repositories
        .common()
        .upgrades()
        .createIfAbsent(
            new NewUpgrade("by-hand", new DeviceId(TestStacks.TENANT, "right"), plan.release(), "ann", "", "run-1"));

    assertThat(started(presence)).isEmpty();
    assertThat(waits()).isEqualTo(WaitReason.GROUP_LIMIT);
  }

  private static RolloutPlan onePerPair() {
    RolloutPlan plan = plan();
    var rolloutLimits = new RolloutLimits(10, 0, Optional.empty(), List.of(new GroupLimit("pair", 1)));
    return new RolloutRules(rolloutLimits, plan.thresholds(), plan.retries()).applyTo(plan);
  }

  private static void awaitSilent(Presence presence, NatsTestHost host) {
    await().until(() -> presence.status(TestStacks.TENANT, host.id()) instanceof PresenceStatus.Silent);
  }

  private static void beatUntilHeard(Presence presence, NatsTestHost host) {
    await()
        .until(() -> {
          host.sendHeartbeat("1.4.0");
          return presence.status(TestStacks.TENANT, host.id()) instanceof PresenceStatus.Alive;
        });
  }

  private List<String> started(Presence presence) {
    return new ReconcilePass(repositories, presence, ID)
        .run(Instant.now(), () -> {}).toStart().stream().map(TargetRow::device).toList();
  }

  private RolloutWait waiting() {
    return repositories.rollouts().find(ID).orElseThrow().waiting().orElseThrow();
  }

  private WaitReason waits() {
    return waiting().reason();
  }
}
