package dev.uplift.services.window;

import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.fleet.window.Blackout;
import dev.uplift.fleet.window.Window;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class WindowJsonTest {
  @Test
  void writtenWindowsAreReadBack() {
    List<Window> windows =
        List.of(
            new Window(
                Set.of(DayOfWeek.MONDAY, DayOfWeek.SUNDAY),
                LocalTime.of(22, 30),
                Optional.of(ZoneId.of("Europe/Berlin")),
                Duration.ofHours(5),
                List.of(new Blackout(LocalDate.of(2026, 12, 20), LocalDate.of(2027, 1, 6)))),
            Window.of(Set.of(DayOfWeek.FRIDAY), LocalTime.MIDNIGHT, Optional.empty(), Duration.ofMinutes(90)));

    assertThat(WindowJson.read(WindowJson.write(windows))).isEqualTo(windows);
  }

  @Test
  void noWindowsAreAnEmptyText() {
    assertThat(WindowJson.write(List.of())).isEmpty();
    assertThat(WindowJson.read("")).isEmpty();
  }
}
