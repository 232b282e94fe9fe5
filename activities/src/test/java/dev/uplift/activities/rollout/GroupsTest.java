package dev.uplift.activities.rollout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.uplift.activities.HostByHand;
import dev.uplift.activities.TestServers;
import dev.uplift.activities.presence.Presence;
import dev.uplift.activities.presence.Seen;
import dev.uplift.fleet.DeviceId;
import dev.uplift.fleet.rollout.GroupLimit;
import dev.uplift.fleet.rollout.Limits;
import dev.uplift.fleet.rollout.RolloutPlan;
import dev.uplift.fleet.rollout.Waiting;
import dev.uplift.store.NewUpgrade;
import dev.uplift.store.RolloutWait;
import dev.uplift.store.TargetRow;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Of a pair of devices one at most is in work, silent or not verified.
final class GroupsTest extends HeardRollout {
  private static final Map<String, String> PAIR = Map.of("pair", "one");
  private static final Duration A_WHILE = Duration.ofSeconds(3);

  private HostByHand left;
  private HostByHand right;

  @BeforeEach
  void pair() throws Exception {
    left = device("left", PAIR);
    right = device("right", PAIR);
  }

  @Test
  void whileOneIsSilentTheOtherIsNotTouched() throws Exception {
    Presence presence = listening(A_WHILE);
    awaitSilent(presence, right);
    beatUntilHeard(presence, left);
    rollOut(onePerPair(), "left");

    assertThat(started(presence)).isEmpty();
    assertThat(waits()).isEqualTo(Waiting.GROUP);
    assertThat(waiting().sentence()).contains("1 of pair = one in work, silent or not verified");

    await()
        .until(() -> {
          beatUntilHeard(presence, right);
          beatUntilHeard(presence, left);
          return started(presence).equals(List.of("left"));
        });
  }

  @Test
  void theOneThatIsSilentHasItsPlaceAlready() throws Exception {
    Presence presence = listening(A_WHILE);
    awaitSilent(presence, right);
    rollOut(onePerPair(), "left", "right");

    await()
        .until(() -> {
          beatUntilHeard(presence, left);
          return started(presence).equals(List.of("right"));
        });
  }

  @Test
  void whileWeHearNobodySilenceSaysNothing() {
    rollOut(onePerPair(), "left");

    assertThat(started(presence(SOON))).containsExactly("left");
  }

  @Test
  void oneThatAPersonUpgradesHasAPlaceToo() {
    rollOut(onePerPair(), "left");
    RolloutPlan plan = plan();
    tables
        .others()
        .upgrades()
        .begin(
            new NewUpgrade(
                "by-hand",
                new DeviceId(TestServers.TENANT, "right"),
                plan.release(),
                "ann",
                "",
                "run-1"));

    assertThat(started(presence(NEVER))).isEmpty();
    assertThat(waits()).isEqualTo(Waiting.GROUP);
  }

  private static RolloutPlan onePerPair() {
    RolloutPlan plan = plan();
    var limits = new Limits(10, 0, Optional.empty(), List.of(new GroupLimit("pair", 1)));
    return new RolloutRules(limits, plan.thresholds(), plan.retries()).in(plan);
  }

  private static void awaitSilent(Presence presence, HostByHand host) {
    await().until(() -> presence.of(TestServers.TENANT, host.id()) instanceof Seen.Silent);
  }

  private static void beatUntilHeard(Presence presence, HostByHand host) {
    await()
        .until(() -> {
          host.beat("1.4.0");
          return presence.of(TestServers.TENANT, host.id()) instanceof Seen.Alive;
        });
  }

  private List<String> started(Presence presence) {
    return new Pass(tables, presence, ID)
        .run(Instant.now()).toStart().stream().map(TargetRow::device).toList();
  }

  private RolloutWait waiting() {
    return tables.rollouts().find(ID).orElseThrow().waiting().orElseThrow();
  }

  private Waiting waits() {
    return waiting().what();
  }
}
