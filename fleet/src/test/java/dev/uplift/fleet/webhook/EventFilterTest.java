package dev.uplift.fleet.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class EventFilterTest {
  @ParameterizedTest
  @CsvSource({
    "'',                        upgrade.ended,        true",
    "*,                         upgrade.ended,        true",
    "upgrade.ended,             upgrade.ended,        true",
    "upgrade.ended,             upgrade.started,      false",
    "upgrade.end,               upgrade.ended,        false",
    "rollout.*,                 rollout.wave-started, true",
    "rollout.*,                 upgrade.ended,        false",
    "rollout*,                  rollout.ended,        false",
    "rollout.*|upgrade.ended,   upgrade.ended,        true",
    "rollout.*|upgrade.ended,   device.held,          false",
  })
  void aKindIsSentIfAPatternMeansIt(String patterns, String kind, boolean isSent) {
    List<String> all = patterns.isEmpty() ? List.of() : List.of(patterns.split("\\|", -1));

    assertThat(new EventFilter(all).accepts(kind)).isEqualTo(isSent);
  }
}
