package dev.uplift.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class CallerNameTest {
  @ParameterizedTest
  @CsvSource({
    "ann, ann, true",
    "ann, Ann, true",
    "ann, bob, false",
    "corp#ann, ann, true",
    "ann, corp#ann, true",
    "corp#ann, partner#ann, true",
    "corp#ann, corp#bob, false",
    "corp#ann, corp, false",
    "corp#a#b, a#b, false",
    "corp#a#b, other#a#b, true",
  })
  void oneAccountIsOnePersonWhereverItLogsIn(String one, String other, boolean same) {
    assertThat(CallerName.maybeSamePerson(one, other)).isEqualTo(same);
    assertThat(CallerName.maybeSamePerson(other, one)).isEqualTo(same);
  }
}
