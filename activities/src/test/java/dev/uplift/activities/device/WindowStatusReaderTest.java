package dev.uplift.activities.device;

import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.fleet.DeviceId;
import dev.uplift.fleet.HostId;
import dev.uplift.fleet.window.Window;
import dev.uplift.services.window.WindowJson;
import dev.uplift.store.Database;
import dev.uplift.store.DatabaseSettings;
import dev.uplift.store.device.DeviceRepository;
import dev.uplift.store.device.DeviceSpec;
import dev.uplift.store.device.LabelWindowRepository;
import dev.uplift.store.device.Precondition;
import dev.uplift.store.tenant.TenantRepository;
import dev.uplift.workflows.device.DeviceRecords.WindowStatus;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// The window status of a device in Berlin with a window on Monday, 02:00 to 06:00, which in November is 01:00Z to
/// 05:00Z.
final class WindowStatusReaderTest {
  private static final DeviceId GATE = new DeviceId("acme", "gate");
  private static final Duration HALF_AN_HOUR = Duration.ofMinutes(30);
  private static final Instant SUNDAY = Instant.parse("2026-11-22T12:00:00Z");
  private static final Instant OPENS = Instant.parse("2026-11-23T01:00:00Z");
  private static final Instant CLOSES = Instant.parse("2026-11-23T05:00:00Z");

  private Database database;
  private LabelWindowRepository labels;
  private WindowStatusReader windows;

  @BeforeEach
  void open() {
    database = Database.open(DatabaseSettings.h2InMemory());
    var deviceRepository = database.repository(DeviceRepository.class);
    labels = database.repository(LabelWindowRepository.class);
    windows = new WindowStatusReader(deviceRepository, labels);
    database.repository(TenantRepository.class).put("acme", "");
    deviceRepository.put(
        new DeviceSpec(
            GATE, List.of(new HostId("left")), Map.of("ring", "1"), ZoneId.of("Europe/Berlin"), monday("02:00")),
        Precondition.anything());
  }

  @AfterEach
  void close() {
    database.close();
  }

  /// Returns a window of four hours.
  private static String monday(String start) {
    return WindowJson.write(
        List.of(Window.of(List.of(DayOfWeek.MONDAY), LocalTime.parse(start), Optional.empty(), Duration.ofHours(4))));
  }

  private WindowStatus at(Instant now, String besides, Duration need) {
    return windows.read(GATE, besides, need, now.plus(Duration.ofDays(3)), now);
  }

  @Test
  void closedWindowHasItsNextOpening() {
    assertThat(at(SUNDAY, "", HALF_AN_HOUR))
        .isEqualTo(
            new WindowStatus(
                false,
                Optional.of(OPENS),
                Optional.empty(),
                "its window: Mon 2026-11-23 02:00+01:00 to Mon 2026-11-23 06:00+01:00"
                    + " Europe/Berlin, 2026-11-23T01:00:00Z to 2026-11-23T05:00:00Z"));
  }

  @Test
  void openWindowHasItsEnd() {
    WindowStatus status = at(OPENS, "", HALF_AN_HOUR);

    assertThat(status.open()).isTrue();
    assertThat(status.opens()).isEmpty();
    assertThat(status.closes()).contains(CLOSES);
  }

  @Test
  void windowWithTooLittleTimeLeftIsClosedUnlessNoneIsNeeded() {
    Instant late = CLOSES.minusSeconds(60);

    WindowStatus status = at(late, "", HALF_AN_HOUR);
    assertThat(status.open()).isFalse();
    assertThat(status.opens()).isEmpty();
    assertThat(status.message())
        .isEqualTo("a window: no opening before 2026-11-26T04:59:00Z has 30m left for the upgrade");
    assertThat(at(late, "", Duration.ZERO).open()).isTrue();
    assertThat(at(CLOSES, "", Duration.ZERO).open()).isFalse();
  }

  @Test
  void windowsOfLabelsAndOfThePlanRestrictIt() {
    labels.put("acme", "ring", "1", monday("03:00"), "ann");

    WindowStatus status = at(SUNDAY, monday("04:00"), HALF_AN_HOUR);

    assertThat(status.opens()).contains(OPENS.plus(Duration.ofHours(2)));
    assertThat(at(status.opens().orElseThrow(), monday("04:00"), HALF_AN_HOUR).closes()).contains(CLOSES);
  }

  @Test
  void deletedDeviceIsNotChanged() {
    WindowStatus status = windows.read(new DeviceId("acme", "door"), "", Duration.ZERO, SUNDAY.plusSeconds(60), SUNDAY);

    assertThat(status.open()).isFalse();
    assertThat(status.message()).contains("no longer exists");
  }
}
