package dev.uplift.activities.rollout;

import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.fleet.ErrorClass;
import dev.uplift.fleet.Reach;
import dev.uplift.fleet.Release;
import dev.uplift.fleet.rollout.Gate;
import dev.uplift.fleet.rollout.GroupLimit;
import dev.uplift.fleet.rollout.Limits;
import dev.uplift.fleet.rollout.OnBusy;
import dev.uplift.fleet.rollout.Reaction;
import dev.uplift.fleet.rollout.Retries;
import dev.uplift.fleet.rollout.RolloutPlan;
import dev.uplift.fleet.rollout.Steering;
import dev.uplift.fleet.rollout.Thresholds;
import dev.uplift.fleet.rollout.Verdict;
import dev.uplift.fleet.rollout.WaveSize;
import dev.uplift.fleet.rollout.WaveSpec;
import dev.uplift.fleet.rollout.WindowRule;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class RolloutTextsTest {
  private static final RolloutPlan FULL =
      new RolloutPlan(
          new Release("os", "1.5.0"),
          "labels.region == 'north'",
          false,
          List.of(
              WaveSpec.of(new WaveSize.Count(1)).spreadOver("store").soaking(Duration.ofHours(1)),
              WaveSpec.of(new WaveSize.Percent(10)).after(new Gate.Approval()),
              WaveSpec.of(new WaveSize.Matching("labels.ring == 'late'")).atOnce(5),
              WaveSpec.of(new WaveSize.PerValue("region")),
              WaveSpec.of(new WaveSize.Rest())
                  .after(new Gate.Time(Instant.parse("2026-12-01T02:00:00Z")))),
          new Limits(10, 20, Optional.of(60), List.of(new GroupLimit("ha_group", 1))),
          new Thresholds(
              90,
              Optional.of(3),
              Optional.empty(),
              5,
              Optional.of(2),
              Map.of(Verdict.STRANDED, 1, Verdict.PREPARE_FAILED, 4),
              Reaction.ABORT),
          new Retries(Map.of(ErrorClass.RETRYABLE, 2), Duration.ofMinutes(10)),
          new WindowRule(
              WindowRule.Mode.FORCE,
              "a hole",
              WindowRule.OnClose.FINISH,
              Duration.ZERO,
              Duration.ofMinutes(5)),
          false,
          Optional.of(Instant.parse("2026-11-30T02:00:00Z")),
          Optional.of(Instant.parse("2026-12-24T00:00:00Z")),
          7,
          OnBusy.SKIP);

  @Test
  void planIsReadBackAsItWasWritten() {
    var wish = new RolloutWish("north", FULL, Reach.HOST, Duration.ofSeconds(5), true);

    assertThat(RolloutTexts.wish(RolloutTexts.write(wish))).isEqualTo(wish);
  }

  @Test
  void planWithoutWishesIsReadBack() {
    var wish =
        new RolloutWish(
            "",
            RolloutPlan.usual(new Release("os", "1.5.0"), "true"),
            Reach.DEVICE,
            Duration.ZERO,
            false);

    assertThat(RolloutTexts.wish(RolloutTexts.write(wish))).isEqualTo(wish);
  }

  @Test
  void rulesAreReadBack() {
    RolloutRules rules = RolloutRules.of(FULL);

    assertThat(RolloutTexts.rules(RolloutTexts.write(rules))).isEqualTo(rules);
  }

  @Test
  void steeringIsReadBack() {
    Steering said = Steering.NONE.rollingBack(2, "ann: broken").stopped("bob", true);

    assertThat(RolloutTexts.steering(RolloutTexts.write(said))).isEqualTo(said);
    assertThat(RolloutTexts.steering(RolloutTexts.write(Steering.NONE))).isEqualTo(Steering.NONE);
  }
}
