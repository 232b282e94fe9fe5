package dev.uplift.services.rollout;

import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.fleet.ErrorClass;
import dev.uplift.fleet.Release;
import dev.uplift.fleet.RollbackScope;
import dev.uplift.fleet.rollout.RolloutControl;
import dev.uplift.fleet.rollout.TargetResult;
import dev.uplift.fleet.rollout.plan.Gate;
import dev.uplift.fleet.rollout.plan.GroupLimit;
import dev.uplift.fleet.rollout.plan.OnBusy;
import dev.uplift.fleet.rollout.plan.RetryPolicy;
import dev.uplift.fleet.rollout.plan.RolloutLimits;
import dev.uplift.fleet.rollout.plan.RolloutPlan;
import dev.uplift.fleet.rollout.plan.ThresholdAction;
import dev.uplift.fleet.rollout.plan.Thresholds;
import dev.uplift.fleet.rollout.plan.WaveSize;
import dev.uplift.fleet.rollout.plan.WaveSpec;
import dev.uplift.fleet.rollout.plan.WindowRule;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class RolloutJsonTest {
  private static final RolloutPlan FULL =
      new RolloutPlan(
          new Release("os", "1.5.0"),
          "labels.region == 'north'",
          false,
          List.of(
              WaveSpec.of(new WaveSize.Count(1)).spreadOver("store").withSoak(Duration.ofHours(1)),
              WaveSpec.of(new WaveSize.Percent(10)).withGate(new Gate.Approval()),
              WaveSpec.of(new WaveSize.Matching("labels.ring == 'late'")).withMaxParallel(5),
              WaveSpec.of(new WaveSize.PerValue("region")),
              WaveSpec.of(new WaveSize.Rest()).withGate(new Gate.Time(Instant.parse("2026-12-01T02:00:00Z")))),
          new RolloutLimits(10, 20, Optional.of(60), List.of(new GroupLimit("ha_group", 1))),
          new Thresholds(
              90,
              3,
              Optional.of(3),
              Optional.empty(),
              5,
              Optional.of(2),
              Map.of(TargetResult.STRANDED, 1, TargetResult.PREPARE_FAILED, 4),
              Duration.ofMinutes(10),
              ThresholdAction.ABORT),
          new RetryPolicy(Map.of(ErrorClass.RETRYABLE, 2), Duration.ofMinutes(10)),
          new WindowRule(
              WindowRule.Mode.IGNORE, "a hole", WindowRule.OnClose.FINISH, Duration.ZERO, Duration.ofMinutes(5)),
          false,
          Optional.of(Instant.parse("2026-11-30T02:00:00Z")),
          Optional.of(Instant.parse("2026-12-24T00:00:00Z")),
          7,
          OnBusy.SKIP);

  @Test
  void planIsReadBackAsItWasWritten() {
    var spec = new RolloutSpec("north", FULL, RollbackScope.HOST, Duration.ofSeconds(5), true);

    assertThat(RolloutJson.readSpec(RolloutJson.write(spec))).isEqualTo(spec);
  }

  @Test
  void planWithoutOptionsIsReadBack() {
    var spec =
        new RolloutSpec(
            "", RolloutPlan.defaults(new Release("os", "1.5.0"), "true"), RollbackScope.DEVICE, Duration.ZERO, false);

    assertThat(RolloutJson.readSpec(RolloutJson.write(spec))).isEqualTo(spec);
  }

  @Test
  void rulesAreReadBack() {
    RolloutRules rules = RolloutRules.of(FULL);

    assertThat(RolloutJson.readRules(RolloutJson.write(rules))).isEqualTo(rules);
  }

  @Test
  void controlIsReadBack() {
    RolloutControl said = RolloutControl.NONE.rollingBack(2, "ann: broken").aborted("bob", true);

    assertThat(RolloutJson.readControl(RolloutJson.write(said))).isEqualTo(said);
    assertThat(RolloutJson.readControl(RolloutJson.write(RolloutControl.NONE))).isEqualTo(RolloutControl.NONE);
  }
}
