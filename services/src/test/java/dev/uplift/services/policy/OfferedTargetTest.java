package dev.uplift.services.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.fleet.HostId;
import dev.uplift.fleet.Outcome;
import dev.uplift.fleet.Release;
import dev.uplift.fleet.policy.PolicyTarget;
import dev.uplift.services.Repositories;
import dev.uplift.services.TestStacks;
import dev.uplift.store.device.HostInfo;
import dev.uplift.store.device.HostOffer;
import dev.uplift.store.policy.PolicyRow;
import dev.uplift.store.upgrade.NewUpgrade;
import dev.uplift.store.upgrade.UpgradeEnd;
import dev.uplift.store.upgrade.UpgradeRow;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/// Policies for what the repositories of hosts offer.
final class OfferedTargetTest extends PolicyEvaluatorScenario {
  private Instant infoTime = Instant.now();

  @Test
  void whatHostsAreOfferedIsTakenOnce() {
    device("a", "north", "1.6.0");
    device("b", "north", "1.6.0");
    device("c", "north", "1.6.0");
    offer("a", "one", 3);
    offer("b", "", 0);
    PolicyRow policy = enable("north", "north", new PolicyTarget.Offered(), 0, false);

    assertThat(states(policy)).containsExactly("a waiting due", "b satisfied satisfied", "c unknown offers-unknown");
    assertThat(evaluate(policy).release()).as("the newest").contains(new Release(PACKAGE, "1.6.0"));
    assertThat(evaluate(policy).due()).containsExactly("a");

    upgrade("u-1", "a", Outcome.UPGRADED);
    assertThat(states(policy)).as("held back packages").startsWith("a satisfied satisfied");
    offer("a", "two", 1);
    assertThat(states(policy)).startsWith("a waiting due");
    upgrade("u-2", "a", Outcome.ROLLED_BACK);
    assertThat(states(policy)).startsWith("a failed failed-before");
    offer("a", "three", 1);
    assertThat(states(policy)).startsWith("a waiting due");
    upgrade("u-3", "a", Outcome.EXPIRED);
    assertThat(states(policy)).as("which blames nothing").startsWith("a waiting due");
    offer("a", "", 0);
    assertThat(states(policy)).startsWith("a satisfied satisfied");
  }

  @Test
  void aClearedFailureHasWhatIsOfferedTriedAgain() {
    device("a", "north", "1.6.0");
    offer("a", "one", 3);
    PolicyRow policy = enable("north", "north", new PolicyTarget.Offered(), 0, false);
    upgrade("u-1", "a", Outcome.ROLLED_BACK);
    assertThat(states(policy)).containsExactly("a failed failed-before");

    tables.rollouts().common().failures().clearFailures(id("a"), new Release(PACKAGE, "1.6.0"));

    assertThat(states(policy)).containsExactly("a waiting due");
  }

  @Test
  void aVersionThatCannotBeMeasuredNowChangesNoOffer() {
    device("a", "north", "1.6.0");
    offer("a", "one", 3);
    PolicyRow policy = enable("north", "north", new PolicyTarget.Offered(), 0, false);
    upgrade("u-1", "a", Outcome.UPGRADED);

    report("a", "unknown", List.of());
    report("a", "1.6.0", List.of(new HostOffer(PACKAGE, "one", 3, 0)));
    assertThat(states(policy)).containsExactly("a satisfied satisfied");

    report("a", "1.6.0", List.of());
    assertThat(states(policy)).containsExactly("a unknown offers-unknown");
  }

  @Test
  void withoutAReleaseNothingBringsWhatIsOffered() {
    PolicyRow policy = enable("north", "north", new PolicyTarget.Offered(), 0, false);
    var bare =
        new PolicyRow(
            policy.tenant(),
            policy.name(),
            "",
            "",
            "firmware",
            true,
            policy.enabledAt(),
            0,
            policy.spec(),
            1,
            "ann",
            Instant.now(),
            "ann",
            Instant.now());

    assertThat(evaluate(bare).missing())
        .contains("no release of firmware is published, which would bring what is offered");
  }

  @Test
  void aPolicyForAVersionLeavesWhatIsOffered() {
    device("a", "north", "1.6.0");
    offer("a", "one", 3);

    assertThat(states(enable("north", "north", new PolicyTarget.Exactly("1.6.0"), 0, false)))
        .containsExactly("a satisfied satisfied");
  }

  @Test
  void offersOfAPageOfDevicesAreOneStatementMore() {
    for (int i = 0; i < 200; i++) {
      device("d" + i, "north", "1.6.0");
      offer("d" + i, "one", 3);
    }
    PolicyRow policy = enable("north", "north", new PolicyTarget.Offered(), 0, false);
    long before = database.counts().statements();

    assertThat(evaluate(policy).due()).hasSize(200);

    assertThat(database.counts().statements() - before).isLessThanOrEqualTo(16);
  }

  private List<String> states(PolicyRow policy) {
    List<String> states = new ArrayList<>();
    evaluator.evaluate(
        policy, status -> states.add("%s %s %s".formatted(status.device(), status.state(), status.reason())), () -> {});
    return states;
  }

  private void offer(String device, String digest, int updates) {
    report(device, "1.6.0", List.of(new HostOffer(PACKAGE, digest, updates, 0)));
  }

  private void report(String device, String version, List<HostOffer> offers) {
    infoTime = infoTime.plusSeconds(1);
    var info =
        new HostInfo(
            """
            {"protocol_version":1,"boot_id":"boot","instance":"instance","state":"running","at":"2026-11-25T12:00:00Z"}\
            """,
            "0.1.0",
            "x86_64",
            List.of("simulated"),
            "boot",
            "instance",
            "running",
            new TreeMap<>(Map.of(PACKAGE, version)),
            infoTime);
    tables
        .rollouts()
        .common()
        .hosts()
        .recordInfo(TestStacks.TENANT, new HostId(device + "-host"), info, List.of(), offers);
  }

  /// An upgrade that began with what is offered now, and has ended.
  private void upgrade(String upgrade, String device, Outcome outcome) {
    Repositories common = tables.rollouts().common();
    UpgradeRow _ =
        common
            .upgrades()
            .createIfAbsent(
                new NewUpgrade(
                    upgrade, id(device), new Release(PACKAGE, "1.6.0"), "ann", "", "run-1", Optional.empty()));
    common.hostOffers().recordUpgrade(TestStacks.TENANT, List.of(new HostId(device + "-host")), PACKAGE, upgrade);
    Optional<UpgradeEnd.EndReason> reason =
        outcome == Outcome.UPGRADED
            ? Optional.empty()
            : Optional.of(
                new UpgradeEnd.EndReason(
                    outcome == Outcome.EXPIRED ? "deadline" : "error", "worker-failed", "final", "no mirror"));
    Optional<UpgradeRow> _ =
        common.upgrades().recordEnd(TestStacks.TENANT, upgrade, new UpgradeEnd(outcome, reason, ""));
  }
}
