package dev.uplift.store.version;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class DayVersionsTest {
  private static final Instant NOW = Instant.parse("2026-11-25T19:00:00Z");

  @Test
  void daysAreCountedBackFromWhatRunsNow() {
    List<DayVersions> days =
        DayVersions.countBack(
            NOW,
            4,
            List.of(new CurrentVersionCount("1.1", 3), new CurrentVersionCount("1.0", 1)),
            List.of(
                change("2026-11-25", "1.0", "1.1", 2),
                change("2026-11-24", "1.0", "1.1", 1),
                change("2026-11-24", null, "1.0", 1),
                change("2026-11-23", "0.9", null, 5)));

    assertThat(days)
        .containsExactly(
            day("2026-11-23T00:00:00Z", Map.of("0.9", 5L, "1.0", 3L)),
            day("2026-11-24T00:00:00Z", Map.of("1.0", 3L)),
            day("2026-11-25T00:00:00Z", Map.of("1.0", 3L, "1.1", 1L)),
            day("2026-11-25T19:00:00Z", Map.of("1.0", 1L, "1.1", 3L)));
  }

  @Test
  void withoutChangesEachDayIsAsToday() {
    assertThat(DayVersions.countBack(NOW, 2, List.of(new CurrentVersionCount("1", 7)), List.of()))
        .containsExactly(day("2026-11-25T00:00:00Z", Map.of("1", 7L)), day("2026-11-25T19:00:00Z", Map.of("1", 7L)));
    assertThat(DayVersions.countBack(NOW, 1, List.of(), List.of()))
        .containsExactly(day("2026-11-25T19:00:00Z", Map.of()));
  }

  @Test
  void aHostThatChangesWhileItIsCountedMakesNoNegativeCount() {
    assertThat(DayVersions.countBack(NOW, 2, List.of(), List.of(change("2026-11-25", null, "1", 1))))
        .extracting(DayVersions::hosts)
        .allMatch(Map::isEmpty);
  }

  private static VersionChangeCount change(
      String day, @Nullable String previous, @Nullable String version, long hosts) {
    return new VersionChangeCount(LocalDate.parse(day).toEpochDay(), previous, version, hosts);
  }

  private static DayVersions day(String at, Map<String, Long> hosts) {
    return new DayVersions(Instant.parse(at), new TreeMap<>(hosts));
  }
}
