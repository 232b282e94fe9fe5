package dev.uplift.fleet.rollout.plan;

import static dev.uplift.fleet.rollout.decision.SnapshotScenario.NOON;
import static dev.uplift.fleet.rollout.decision.SnapshotScenario.at;
import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.fleet.ErrorClass;
import dev.uplift.fleet.Release;
import dev.uplift.fleet.rollout.TargetResult;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/// Each fault has the field, the found and the expected value.
final class RolloutPlanTest {
  private static final RolloutPlan PLAN = RolloutPlan.defaults(new Release("os", "1.5.0"), "labels.region == 'north'");
  private static final WaveSpec REST = WaveSpec.of(new WaveSize.Rest());

  static final List<Case> CASES =
      List.of(
          new Case("usual", PLAN),
          new Case(
              "nothing selected",
              RolloutPlan.defaults(PLAN.release(), " "),
              "/selection is empty; expected one such as labels.region == 'north'"),
          new Case("percentages that make 100", waves(percent(10), percent(90))),
          new Case("with a canary before them", waves(count(1), percent(10), percent(90))),
          new Case(
              "percentages over 100",
              waves(percent(10), percent(60), percent(40), percent(5)),
              "/waves/2/percent makes 110 % with the waves before it; expected at most 100" + " together"),
          new Case("one percentage over 100", waves(percent(120)), "/waves/0/percent expected 1 to 100, found 120"),
          new Case("no device at all", waves(count(0), REST), "/waves/0/count expected at least 1, found 0"),
          new Case(
              "waves after the rest",
              waves(REST, percent(10)),
              "/waves/0/rest leaves nothing to later waves; expected it last"),
          new Case(
              "no expression",
              waves(WaveSpec.of(new WaveSize.Matching("")), REST),
              "/waves/0/expression is empty; expected one such as labels.ring == 'late'"),
          new Case(
              "the rest spread",
              waves(REST.spreadOver("store")),
              "/waves/0/spread_by_label expected only with count or percent: the rest takes all" + " there are"),
          new Case(
              "a negative soak",
              waves(REST.withSoak(Duration.ofSeconds(-1))),
              "/waves/0/soak_seconds expected 0 to 7776000, found -1"),
          new Case(
              "none in parallel", waves(REST.withMaxParallel(0)), "/waves/0/max_parallel expected at least 1, found 0"),
          new Case(
              "limits",
              limits(
                  new RolloutLimits(0, -1, Optional.of(0), List.of(new GroupLimit("ha", 0), new GroupLimit("ha", 1)))),
              "/limits/max_parallel expected at least 1, found 0",
              "/limits/max_preparing expected at least 0, found -1",
              "/limits/per_minute expected 1 to 60000, found 0",
              "/limits/group_limits/0/at_most expected at least 1, found 0",
              "/limits/group_limits/1/label ha stands here twice; expected one limit for it"),
          new Case(
              "thresholds",
              thresholds(
                  new Thresholds(
                      101,
                      -1,
                      Optional.of(-2),
                      Optional.of(0),
                      0,
                      Optional.of(0),
                      Map.of(TargetResult.UPGRADED, 1, TargetResult.STRANDED, 0),
                      Duration.ofDays(2),
                      ThresholdAction.PAUSE)),
              "/thresholds/success_percent expected 0 to 100, found 101",
              "/thresholds/min_successes expected at least 0, found -1",
              "/thresholds/unhealthy_after_seconds expected 0 to 86400, found 172800",
              "/thresholds/failures expected at least 1, found -2",
              "/thresholds/failure_percent expected 1 to 100, found 0",
              "/thresholds/min_sample expected at least 1, found 0",
              "/thresholds/consecutive_failures expected 1 to 100, found 0",
              "/thresholds/by_outcome/upgraded is no outcome to stop at; expected one that is not" + " a success",
              "/thresholds/by_outcome/stranded expected at least 1, found 0"),
          new Case(
              "retries",
              retries(new RetryPolicy(Map.of(ErrorClass.NEEDS_PERSON, 99), Duration.ofDays(8))),
              "/retries/needs-person expected 0 to 10, found 99",
              "/retries/backoff_seconds expected 0 to 604800, found 691200"),
          new Case(
              "windows ignored for no reason",
              window(WindowRule.Mode.IGNORE, ""),
              "/window/reason is empty; expected why the windows of the devices are ignored"),
          new Case("windows ignored for a reason", window(WindowRule.Mode.IGNORE, "CVE-2026-1")),
          new Case(
              "a deadline that is past",
              until(at("11:59"), REST),
              "/not_after 2026-11-21T11:59:00Z is past; expected a time in the future"),
          new Case(
              "a wave after the deadline",
              until(at("13:00"), REST.withGate(new Gate.Time(at("14:00")))),
              "/waves/0/not_before 2026-11-21T14:00:00Z is not before the deadline; expected a time"
                  + " before 2026-11-21T13:00:00Z"),
          new Case(
              "a soak past the deadline",
              until(at("13:00"), REST.withSoak(Duration.ofHours(2))),
              "/not_after the waves soak for PT2H in all; expected a deadline after" + " 2026-11-21T14:00:00Z"));

  @ParameterizedTest
  @FieldSource("CASES")
  void isRejectedWithAllItsFaults(Case one) {
    assertThat(one.plan.violations(NOON))
        .extracting(planViolation -> planViolation.pointer() + " " + planViolation.message())
        .isEqualTo(one.faults);
  }

  @Test
  void selectingEverythingHasToBeConfirmed() {
    assertThat(PLAN.selectionViolation(40, 120)).isEmpty();
    assertThat(PLAN.selectionViolation(1, 1)).isEmpty();
    assertThat(PLAN.selectionViolation(120, 120))
        .contains(
            new PlanViolation("/everything", "the selection takes all 120 devices; expected true to confirm that"));
  }

  @Test
  void selectingNothingIsRejected() {
    assertThat(PLAN.selectionViolation(0, 120))
        .contains(
            new PlanViolation(
                "/selection", "takes none of the 120 devices; expected one that is true of at least one"));
  }

  record Case(String what, RolloutPlan plan, List<String> faults) {
    Case(String what, RolloutPlan plan, String... faults) {
      this(what, plan, List.of(faults));
    }

    @Override
    public String toString() {
      return what;
    }
  }

  private static WaveSpec count(int devices) {
    return WaveSpec.of(new WaveSize.Count(devices));
  }

  private static WaveSpec percent(int share) {
    return WaveSpec.of(new WaveSize.Percent(share));
  }

  private static RolloutPlan waves(WaveSpec... waves) {
    return plan(PLAN.limits(), PLAN.thresholds(), PLAN.retries(), PLAN.window(), null, waves);
  }

  private static RolloutPlan limits(RolloutLimits rolloutLimits) {
    return plan(rolloutLimits, PLAN.thresholds(), PLAN.retries(), PLAN.window(), null);
  }

  private static RolloutPlan thresholds(Thresholds thresholds) {
    return plan(PLAN.limits(), thresholds, PLAN.retries(), PLAN.window(), null);
  }

  private static RolloutPlan retries(RetryPolicy retryPolicy) {
    return plan(PLAN.limits(), PLAN.thresholds(), retryPolicy, PLAN.window(), null);
  }

  private static RolloutPlan window(WindowRule.Mode mode, String reason) {
    WindowRule usual = WindowRule.DEFAULTS;
    WindowRule rule = new WindowRule(mode, reason, usual.onClose(), usual.prepareAhead(), usual.requiredTime());
    return plan(PLAN.limits(), PLAN.thresholds(), PLAN.retries(), rule, null);
  }

  private static RolloutPlan until(Instant end, WaveSpec... waves) {
    return plan(PLAN.limits(), PLAN.thresholds(), PLAN.retries(), PLAN.window(), end, waves);
  }

  private static RolloutPlan plan(
      RolloutLimits rolloutLimits,
      Thresholds thresholds,
      RetryPolicy retryPolicy,
      WindowRule window,
      @Nullable Instant notAfter,
      WaveSpec... waves) {
    return new RolloutPlan(
        PLAN.release(),
        PLAN.selection(),
        false,
        List.of(waves),
        rolloutLimits,
        thresholds,
        retryPolicy,
        window,
        false,
        Optional.empty(),
        Optional.ofNullable(notAfter),
        0,
        OnBusy.WAIT);
  }
}
