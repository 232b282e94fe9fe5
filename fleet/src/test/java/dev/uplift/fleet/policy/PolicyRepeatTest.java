package dev.uplift.fleet.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.uplift.fleet.policy.PolicyRepeat.Cron;
import java.time.ZoneId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class PolicyRepeatTest {
  @ParameterizedTest
  @ValueSource(strings = {"0 22 * * 6", "*/15 * * * *", "0,30 1-5 1 1-12/3 0-6", "59 23 31 12 0", "10/5 0 * * *"})
  void aCronLineHasFiveFieldsOfNumbers(String line) {
    assertThat(Cron.findFault(line)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "", "0 22 * *", "0 22 * * 6 2026", "0  22 * * 6", "60 * * * *", "* 24 * * *", "* * 0 * *", "* * 32 * *",
        "* * * 13 *", "* * * * 7", "5-3 * * * *", "*/0 * * * *", "*/60 * * * *", ", * * * *", "1,, * * * *",
            "- * * * *",
        "0 22 * * SAT", "@daily", "-1 * * * *"
      })
  void anythingElseIsRefused(String line) {
    assertThat(Cron.findFault(line)).isPresent();
  }

  @Test
  void theFaultSaysWhichField() {
    assertThat(Cron.findFault("0 25 * * *"))
        .contains(
            "expected hour as *, a number from 0 to 23, a range, a step, or several of them with commas, found \"25\"");
    assertThatThrownBy(() -> new Cron("0 22", ZoneId.of("UTC"))).hasMessageContaining("expected five fields");
  }

  @ParameterizedTest
  @ValueSource(strings = {"Z", "+02:00", "UTC+2"})
  void aZoneWithoutAnIanaNameIsRefused(String zone) {
    assertThatThrownBy(() -> new Cron("0 22 * * 6", ZoneId.of(zone)))
        .hasMessageContaining("expected an IANA time zone");
  }
}
