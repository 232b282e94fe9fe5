package dev.uplift.store.device;

import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.fleet.DeviceId;
import dev.uplift.fleet.HostId;
import dev.uplift.store.DatabaseScenario;
import dev.uplift.store.PageRequest;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class DeviceFilterTest extends DatabaseScenario {
  private DeviceRepository devices = database.repository(DeviceRepository.class);

  @BeforeEach
  void threeDevices() {
    devices = database.repository(DeviceRepository.class);
    put("a", Map.of("ring", "1"), "a-1", "a-2");
    put("b", Map.of("ring", "1", "site", "x"), "b-1");
    put("c", Map.of(), "c-1");
    reports("a-1", Map.of("shopd", "1.0"));
    reports("a-2", Map.of("shopd", "2.0"));
    reports("b-1", Map.of("os", "7"));
  }

  @Test
  void findsDevicesWithAHostThatRunsAVersion() {
    assertThat(runs(Map.of(), "shopd", "1.0")).containsExactly("a");
    assertThat(runs(Map.of(), "shopd", "2.0")).containsExactly("a");
    assertThat(runs(Map.of(), "shopd", "3.0")).isEmpty();
  }

  @Test
  void findsDevicesWithAHostThatNeverReportedThePackage() {
    assertThat(runs(Map.of(), "shopd", "unknown")).containsExactly("b", "c");
  }

  @Test
  void labelsAndVersionBothHaveToMatch() {
    assertThat(runs(Map.of("ring", "1"), "shopd", "unknown")).containsExactly("b");
    assertThat(runs(Map.of("ring", "1", "site", "x"), "shopd", "1.0")).isEmpty();
  }

  private List<String> runs(Map<String, String> labels, String packageName, String version) {
    var filter = new DeviceFilter(labels, Optional.of(new DeviceFilter.RunningVersion(packageName, version)));
    return devices.list(tenant, filter, PageRequest.first(10)).rows().stream()
        .map(DeviceRow::id)
        .map(DeviceId::name)
        .toList();
  }

  private void put(String name, Map<String, String> labels, String... hosts) {
    var spec = new DeviceSpec(device(name), hosts(hosts), labels, ZoneId.of("UTC"));
    assertThat(devices.put(spec, new Precondition.Anything())).isInstanceOf(SaveResult.Created.class);
  }

  private void reports(String host, Map<String, String> versions) {
    var info = new HostInfo("{}", "1", "x86", List.of(), "boot", "i", "running", versions, clock.instant());
    assertThat(
            database.repository(HostRepository.class).recordInfo(tenant, new HostId(host), info, List.of(), List.of()))
        .isEqualTo(RecordedInfo.RECORDED);
  }
}
