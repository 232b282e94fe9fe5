package dev.uplift.services.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.uplift.fleet.Release;
import dev.uplift.fleet.policy.PolicyDeviceState;
import dev.uplift.fleet.policy.PolicyDeviceStatus;
import dev.uplift.fleet.policy.PolicyId;
import dev.uplift.fleet.policy.PolicyRepeat;
import dev.uplift.fleet.policy.PolicyStart;
import dev.uplift.fleet.policy.PolicyTarget;
import dev.uplift.fleet.window.Window;
import dev.uplift.services.TestStacks;
import dev.uplift.services.window.WindowJson;
import dev.uplift.store.pin.PinRow;
import dev.uplift.store.policy.PolicyRow;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class PolicyEvaluatorTest extends PolicyEvaluatorScenario {
  @Test
  void eachDeviceOfThePolicyHasOneState() {
    device("a", "north", "1.4.0");
    device("b", "north", "1.5.0");
    device("c", "north", "1.6.0");
    device("d", "north", "9-custom");
    device("e", "south", "1.4.0");
    device("f", "north", "1.4.0");
    silent.add("f");
    device("g", "north", "1.4.0");
    tables.rollouts().common().devices().hold(id("g"), "spare part ordered", "bob", Optional.empty());
    PolicyRow policy = enable("north", "north", new PolicyTarget.Exactly("1.5.0"), 0, false);

    List<PolicyDeviceStatus> found = new ArrayList<>();
    PolicyEvaluation evaluation = evaluator.evaluate(policy, found::add, () -> {});

    assertThat(found)
        .extracting(status -> "%s %s %s".formatted(status.device(), status.state(), status.reason()))
        .containsExactly(
            "a waiting due",
            "b satisfied satisfied",
            "c blocked downgrade",
            "d unknown unknown-version",
            "f waiting offline",
            "g blocked held");
    assertThat(evaluation.due()).containsExactly("a");
    assertThat(evaluation.devices()).isEqualTo(6);
    assertThat(evaluation.isComplete()).isFalse();
  }

  @Test
  void aChannelIsFollowedWhereverItPoints() {
    device("a", "north", "1.5.0");
    PolicyRow policy = enable("north", "north", new PolicyTarget.Channel("stable"), 0, false);
    assertThat(evaluate(policy).missing()).contains("os has no channel stable; point it at a release");

    tables.channels().move(TestStacks.TENANT, "stable", new Release(PACKAGE, "1.5.0"), "ann");
    assertThat(evaluate(policy).isComplete()).isTrue();

    tables.channels().move(TestStacks.TENANT, "stable", new Release(PACKAGE, "1.6.0"), "ann");
    assertThat(evaluate(policy).due()).containsExactly("a");
    assertThat(evaluate(policy).release()).contains(new Release(PACKAGE, "1.6.0"));
  }

  @Test
  void aFallbackAppliesWhereNoOtherPolicyDoes() {
    device("a", "north", "1.4.0");
    device("b", "south", "1.4.0");
    PolicyRow usual = enable("usual", "", new PolicyTarget.Exactly("1.6.0"), 100, true);
    PolicyRow north = enable("north", "north", new PolicyTarget.Exactly("1.5.0"), 0, false);

    assertThat(evaluate(usual).due()).containsExactly("b");
    assertThat(evaluate(usual).devices()).isEqualTo(1);
    assertThat(evaluate(north).due()).containsExactly("a");
  }

  @Test
  void thePolicyOfHigherPriorityDecidesAndTheOtherIsInConflict() {
    device("a", "north", "1.4.0");
    enable("first", "north", new PolicyTarget.Exactly("1.5.0"), 0, false);
    PolicyRow second = enable("second", "north", new PolicyTarget.Exactly("1.6.0"), 1, false);
    PolicyRow first = tables.policies().find(new PolicyId(TestStacks.TENANT, "first")).orElseThrow();

    assertThat(evaluate(second).due()).containsExactly("a");
    assertThat(evaluate(first).count(PolicyDeviceState.CONFLICT)).isEqualTo(1);
    assertThat(evaluate(first).overruledBy()).containsExactly("second");
    assertThat(evaluate(first).due()).isEmpty();
  }

  @Test
  void oneDeviceIsLookedAtInAFewStatementsHoweverManyThereAre() {
    for (int i = 0; i < 100; i++) {
      device("d" + i, "north", "1.4.0");
    }
    for (int i = 0; i < 20; i++) {
      enable("p" + i, "north", new PolicyTarget.Exactly("1.5.0"), i, false);
    }
    PolicyRow policy = tables.policies().find(new PolicyId(TestStacks.TENANT, "p3")).orElseThrow();
    long before = database.counts().statements();

    PolicyEvaluation evaluation = evaluator.evaluate(policy, List.of("d7"), _ -> {});

    long few = database.counts().statements() - before;
    assertThat(evaluation.devices()).isEqualTo(1);
    assertThat(few).isBetween(1L, 15L);
    for (int i = 100; i < 1_000; i++) {
      device("d" + i, "north", "1.4.0");
    }
    before = database.counts().statements();
    evaluator.evaluate(policy, List.of("d7"), _ -> {});
    assertThat(database.counts().statements() - before).isEqualTo(few);
  }

  @Test
  void aPageOfDevicesCostsAsManyStatementsAsOneDevice() {
    for (int i = 0; i < 200; i++) {
      device("d" + i, "north", "1.4.0");
    }
    PolicyRow policy = enable("north", "north", new PolicyTarget.Exactly("1.5.0"), 0, false);
    long before = database.counts().statements();

    assertThat(evaluate(policy).due()).hasSize(200);

    assertThat(database.counts().statements() - before).isLessThanOrEqualTo(15);
  }

  @Test
  void aPinnedDeviceIsBlockedUntilThePinEndsHoweverItIsLookedAt() {
    Instant end = Instant.now().plus(Duration.ofHours(1)).truncatedTo(ChronoUnit.MILLIS);
    device("a", "north", "1.4.0");
    pin("a", end);
    PolicyRow policy = enable("north", "north", new PolicyTarget.Exactly("1.5.0"), 0, false);

    for (PolicyEvaluation evaluation : List.of(evaluate(policy), evaluator.evaluate(policy, List.of("a"), _ -> {}))) {
      assertThat(evaluation.due()).isEmpty();
      assertThat(evaluation.count(PolicyDeviceState.BLOCKED)).isEqualTo(1);
      assertThat(evaluation.nextChange()).contains(end);
    }
  }

  @Test
  void anEvaluationNamesThePoliciesThatItOverrulesAndThoseThatOverruleIt() {
    device("a", "north", "1.4.0");
    device("b", "south", "1.4.0");
    PolicyRow north = enable("north", "north", new PolicyTarget.Exactly("1.6.0"), 5, false);
    PolicyRow below = enable("below", "", new PolicyTarget.Exactly("1.5.0"), 1, false);
    enable("above", "north", new PolicyTarget.Exactly("1.4.0"), 9, false);
    enable("same", "north", new PolicyTarget.Exactly("1.6.0"), 0, false);
    enable("usual", "", new PolicyTarget.Exactly("1.4.0"), 0, true);
    enable("missing", "", new PolicyTarget.Exactly("7.0.0"), 0, false);
    assertThat(evaluate(north).overruledBy()).containsExactly("above");
    assertThat(evaluate(north).overrules()).as("it decides for no device").isEmpty();

    PolicyRow _ = tables.policies().setEnabled(new PolicyId(TestStacks.TENANT, "above"), false, "ann");

    assertThat(evaluate(north).overrules())
        .as("neither one that asks for the same, nor a fallback, nor one that brings nothing")
        .containsExactly("below");
    assertThat(evaluate(north).overruledBy()).isEmpty();
    assertThat(evaluate(below).overruledBy()).containsExactly("north");
    assertThat(evaluate(below).overrules()).isEmpty();
  }

  /// OH-48.
  @Test
  void aPolicyBeginsAtItsTimeAndAtOnceWithWhatComesLater() {
    Instant start = Instant.now().plus(Duration.ofDays(1)).truncatedTo(ChronoUnit.MILLIS);
    device("a", "north", "1.4.0");

    List<PolicyDeviceStatus> found = new ArrayList<>();
    PolicyEvaluation before = evaluator.evaluate(startingAt(start), found::add, () -> {});

    assertThat(found).extracting(PolicyDeviceStatus::reason).containsExactly("start");
    assertThat(before.due()).isEmpty();
    assertThat(before.nextChange()).contains(start);

    PolicyRow begun = startingAt(Instant.now().minusSeconds(60));
    assertThat(evaluate(begun).due()).containsExactly("a");
    device("late", "north", "1.4.0");
    assertThat(evaluate(begun).due()).containsExactly("a", "late");
    assertThat(evaluate(enable("north", "north", new PolicyTarget.Exactly("1.5.0"), 0, false)).due())
        .as("without a time: now")
        .containsExactly("a", "late");
  }

  private PolicyRow startingAt(Instant time) {
    var start = new PolicyStart(Optional.of(time), Duration.ZERO);
    return enable("north", "north", new PolicyTarget.Exactly("1.5.0"), 0, false, new PolicyRepeat.Always(), start);
  }

  @Test
  void inAStoppedTenantNothingIsDue() {
    device("a", "north", "1.4.0");
    PolicyRow policy = enable("north", "north", new PolicyTarget.Exactly("1.5.0"), 0, false);
    tables.rollouts().common().tenantStops().stop(TestStacks.TENANT, "fair in town", "ann");

    List<PolicyDeviceStatus> found = new ArrayList<>();
    assertThat(evaluator.evaluate(policy, found::add, () -> {}).due()).isEmpty();

    assertThat(found).extracting(PolicyDeviceStatus::reason).containsExactly("stopped");
    assertThat(found.getFirst().message()).contains("fair in town");
  }

  @Test
  void ofAPolicyWithACronLineDevicesAreDueInRunsAlone() {
    device("a", "north", "1.4.0");
    device("b", "north", "1.4.0");
    silent.add("b");
    var cron = new PolicyRepeat.Cron("0 22 * * 6", ZoneId.of("Europe/Berlin"));
    PolicyRow policy = enable("north", "north", new PolicyTarget.Exactly("1.5.0"), 0, false, cron);

    List<PolicyDeviceStatus> found = new ArrayList<>();
    assertThat(evaluator.evaluate(policy, found::add, () -> {}).due()).isEmpty();
    assertThat(found).extracting(PolicyDeviceStatus::reason).containsExactly("next-run", "next-run");

    assertThat(evaluator.evaluateRun(policy, _ -> {}, () -> {}).due())
        .as("the one that is not heard would wait for the next run otherwise")
        .containsExactly("a", "b");
  }

  @Test
  void ofAPolicyForEachWindowADeviceIsDueWhenItsWindowOpens() {
    device("a", "north", "1.4.0");
    DayOfWeek inTwoDays = LocalDate.now(ZoneOffset.UTC).plusDays(2).getDayOfWeek();
    device(
        "b",
        "north",
        "1.4.0",
        WindowJson.write(
            List.of(Window.of(EnumSet.of(inTwoDays), LocalTime.MIDNIGHT, Optional.empty(), Duration.ofHours(4)))));
    PolicyRow policy =
        enable("north", "north", new PolicyTarget.Exactly("1.5.0"), 0, false, new PolicyRepeat.EachWindow());

    PolicyEvaluation evaluation = evaluate(policy);

    assertThat(evaluation.due()).as("without windows it may be touched at any time").containsExactly("a");
    assertThat(evaluation.nextChange())
        .hasValueSatisfying(
            opens -> assertThat(opens.atOffset(ZoneOffset.UTC).toLocalTime()).isEqualTo(LocalTime.MIDNIGHT));
  }

  @Test
  void anEvaluationCanBeInterruptedAfterEachPage() {
    device("a", "north", "1.4.0");
    PolicyRow policy = enable("north", "north", new PolicyTarget.Exactly("1.5.0"), 0, false);

    assertThatThrownBy(() ->
            evaluator.evaluate(
                policy,
                _ -> {},
                () -> {
                  throw new IllegalStateException("cancelled");
                }))
        .hasMessage("cancelled");
  }

  private void pin(String device, Instant until) {
    PinRow _ =
        tables
            .rollouts()
            .common()
            .pins()
            .set(id(device), PACKAGE, Optional.of("1.4.0"), "certified", "ann", Optional.of(until));
  }
}
