package dev.uplift.fleet.presence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class OutageRuleTest {
  private static final Instant BEGIN = Instant.parse("2026-11-22T02:00:00Z");
  private static final OutageRule RULE = OutageRule.DEFAULTS;

  @ParameterizedTest(name = "{4}")
  @CsvSource(
      textBlock =
          """
          # heard, missing, heard elsewhere, missing elsewhere, case, suspected
          100, 0, 0, 0, all are heard, false
          80, 20, 0, 0, exactly the share, false
          79, 21, 0, 0, more than the share, true
          0, 1000, 0, 0, all are missing, true
          0, 4, 0, 0, fewer than the minimum, false
          0, 5, 0, 0, the minimum, true
          0, 0, 0, 0, a tenant without hosts, false
          0, 3, 10, 90, a small tenant in an outage of the whole server, true
          0, 3, 1000, 0, a small tenant alone, false
          50, 1, 0, 5000, others are missing and its own hosts are heard, false
          """)
  void outageIsSuspectedWhenManyAreMissing(
      int heard, int missing, int heardElsewhere, int missingElsewhere, String name, boolean suspected) {
    HostCounts tenant = new HostCounts(heard, missing);

    assertThat(RULE.isSuspected(tenant, tenant.plus(new HostCounts(heardElsewhere, missingElsewhere))))
        .as(name)
        .isEqualTo(suspected);
  }

  @ParameterizedTest
  @CsvSource({
    "PT1M, 100, false",
    "PT1M, 26, false",
    "PT1M, 25, true",
    "PT1M, 0, true",
    "PT5H59M, 100, false",
    "PT6H, 100, true"
  })
  void outageEndsWhenMostAreHeardAgainOrItLastsTooLong(Duration lasted, int stillMissing, boolean over) {
    SuspectedOutage outage = new SuspectedOutage(BEGIN, BEGIN.minusSeconds(150), 100, 400);

    assertThat(RULE.isOver(outage, stillMissing, BEGIN.plus(lasted))).isEqualTo(over);
  }

  @Test
  void outageCoversHostsThatFellSilentInItOnly() {
    SuspectedOutage outage = new SuspectedOutage(BEGIN, BEGIN.minusSeconds(150), 100, 400);

    assertThat(outage.covers(BEGIN.minusSeconds(60))).isTrue();
    assertThat(outage.covers(BEGIN.plusSeconds(600))).as("while it lasts").isTrue();
    assertThat(outage.covers(BEGIN.minusSeconds(150))).as("off for longer").isFalse();
  }

  @Test
  void outageIsDescribedWithItsLargestExtent() {
    SuspectedOutage outage = new SuspectedOutage(BEGIN, BEGIN.minusSeconds(150), 100, 4000);

    assertThat(outage.withMissing(1200).withMissing(900).describe())
        .isEqualTo(
            "an outage between hosts and NATS is suspected since 2026-11-22T02:00:00Z:"
                + " 1200 of 4000 hosts stopped being heard at the same time");
  }

  @Test
  void shareIsAPercentage() {
    assertThatThrownBy(() -> new OutageRule(5, 0, Duration.ofHours(1)))
        .hasMessage("percent: expected 1 to 100, found 0");
  }
}
