package dev.uplift.protocol.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.DateTimeException;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class Rfc3339Test {
  private static final int[] GRAINS = {1, 1000, 1_000_000, 1_000_000_000};

  @Test
  void everyTimeIsFormattedAndParsedLikeTheJdk() {
    var random = new Random(7);
    long first = Instant.parse("-0001-01-01T00:00:00Z").getEpochSecond();
    long last = Instant.parse("+10001-01-01T00:00:00Z").getEpochSecond();
    for (int round = 0; round < 200_000; round++) {
      int grain = GRAINS[random.nextInt(GRAINS.length)];
      int nanos = random.nextInt(1_000_000_000);
      Instant time = Instant.ofEpochSecond(random.nextLong(first, last), nanos - nanos % grain);

      assertThat(Rfc3339.format(time)).isEqualTo(time.toString());
      assertThat(Rfc3339.parse(time.toString())).isEqualTo(time);
    }
  }

  @Test
  void everyDayOfFourCenturiesIsValid() {
    Instant day = Instant.parse("1900-01-01T00:00:00Z");
    for (int i = 0; i < 146_097; i++, day = day.plusSeconds(86_400)) {
      assertThat(Rfc3339.parse(Rfc3339.format(day))).isEqualTo(day);
      assertThat(Rfc3339.format(day)).isEqualTo(day.toString());
    }
  }

  @Test
  void otherFormsAreParsedToo() {
    for (String each :
        List.of(
            "2026-01-31T24:00:00Z",
            "2016-12-31T23:59:60Z",
            "2026-01-31T09:05:00+01:00",
            "2026-01-31t09:05:00z",
            "2026-01-31T09:05:00.123456789Z",
            "2026-01-31T09:05:00.1Z",
            "+12026-01-31T09:05:00Z")) {
      assertThat(Rfc3339.parse(each)).as(each).isEqualTo(Instant.parse(each));
    }
  }

  @Test
  void invalidTimesAreRejected() {
    for (String each :
        List.of(
            "",
            "Z",
            "now",
            "2026-02-30T09:05:00Z",
            "2026-13-01T09:05:00Z",
            "2026-00-01T09:05:00Z",
            "2026-01-00T09:05:00Z",
            "2026-01-31T25:05:00Z",
            "2026-01-31T09:60:00Z",
            "2026-01-31T09:05:00",
            "2026-01-31 09:05:00Z",
            "2026-01-31T09:05:00.1234567890Z",
            "2026-01-31T09:05:00.1.2Z")) {
      assertThatThrownBy(() -> Rfc3339.parse(each)).as(each).isInstanceOf(DateTimeException.class);
    }
  }
}
