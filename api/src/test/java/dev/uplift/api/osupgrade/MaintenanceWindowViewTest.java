package dev.uplift.api.osupgrade;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.uplift.fleet.window.Window;
import dev.uplift.fleet.window.WindowSchedule;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class MaintenanceWindowViewTest {

  /// AV-73, AV-74, AV-75, AV-76, AV-77: the sample of the document.
  @Test
  void theSampleOfTheDocumentIsAWindowAndIsShownAsItWasWritten() {
    var sample = new MaintenanceWindowView("Friday, Saturday", "01:00", "site-local", "4h");

    Window window = sample.window();

    assertThat(window)
        .isEqualTo(
            Window.of(
                Set.of(DayOfWeek.FRIDAY, DayOfWeek.SATURDAY),
                LocalTime.of(1, 0),
                Optional.empty(),
                Duration.ofHours(4)));
    assertThat(MaintenanceWindowView.of(window)).isEqualTo(sample);
  }

  /// AV-74.
  @ParameterizedTest
  @ValueSource(strings = {"Monday,friday", "mon , Fri", "Friday, Monday, Fri"})
  void daysAreEnglishNamesSeparatedByCommas(String text) {
    assertThat(MaintenanceWindowView.days(text)).containsExactly(DayOfWeek.MONDAY, DayOfWeek.FRIDAY);
    assertThat(text).matches(MaintenanceWindowView.DAYS);
  }

  /// AV-74.
  @ParameterizedTest
  @ValueSource(strings = {"", "Freitag", "Monday,", "Monday Friday", "mon,mon,mon,mon,mon,mon,mon,mon"})
  void anythingElseIsNoDays(String text) {
    assertThatIllegalArgumentException().isThrownBy(() -> MaintenanceWindowView.days(text));
    assertThat(text).doesNotMatch(MaintenanceWindowView.DAYS);
  }

  /// AV-84.
  @ParameterizedTest
  @CsvSource({
    "P1DT4H18S, 1d4h18s",
    "PT4H, 4h",
    "PT90M, 1h30m",
    "PT59.9S, 59s",
    "P400D, 400d",
    "PT0S, 0s",
  })
  void spansAreCompact(Duration span, String text) {
    assertThat(OsUpgradeStateReader.format(span)).isEqualTo(text);
  }

  /// AV-78, AV-84: the sample of the document.
  @ParameterizedTest
  @CsvSource({
    "2026-11-25T20:59:42Z, 1d4h18s",
    "2026-11-27T00:59:59Z, 1s",
    "2026-11-27T01:00:00Z, 0s",
    "2026-11-27T04:59:59Z, 0s",
    "2026-11-27T05:00:00Z, 20h",
  })
  void theNextUpgradeIsAtTheNextOpening(Instant now, String in) {
    Window window =
        Window.of(
            Set.of(DayOfWeek.FRIDAY, DayOfWeek.SATURDAY),
            LocalTime.of(1, 0),
            Optional.of(ZoneId.of("UTC")),
            Duration.ofHours(4));

    assertThat(OsUpgradeStateReader.nextUpgradeIn(new WindowSchedule(List.of(List.of(window)), ZoneOffset.UTC), now))
        .hasValue(in);
  }
}
