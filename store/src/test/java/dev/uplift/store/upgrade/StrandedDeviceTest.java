package dev.uplift.store.upgrade;

import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.fleet.DeviceId;
import dev.uplift.fleet.HostId;
import dev.uplift.fleet.Outcome;
import dev.uplift.fleet.Release;
import dev.uplift.store.DatabaseScenario;
import dev.uplift.store.device.DeviceRepository;
import dev.uplift.store.device.DeviceSpec;
import dev.uplift.store.device.Precondition;
import dev.uplift.store.upgrade.UpgradeRepository.StrandedDevice;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class StrandedDeviceTest extends DatabaseScenario {
  private static final Release OS = new Release("os", "2");

  private final UpgradeRepository upgrades = database.repository(UpgradeRepository.class);
  private final DeviceRepository devices = database.repository(DeviceRepository.class);

  @Test
  void aDeviceIsStrandedUntilItsNextUpgradeBegins() {
    register("left");
    register("right");
    end("l1", "left", Outcome.UPGRADED);
    end("l2", "left", Outcome.STRANDED);
    end("r1", "right", Outcome.STRANDED);
    assertThat(stranded())
        .containsExactly(new StrandedDevice(tenant, "right", "r1"), new StrandedDevice(tenant, "left", "l2"));

    begin("l3", "left");

    assertThat(stranded()).containsExactly(new StrandedDevice(tenant, "right", "r1"));
  }

  @Test
  void aDeviceThatIsNotRegisteredIsNotStranded() {
    end("u1", "gone", Outcome.STRANDED);

    assertThat(stranded()).isEmpty();
  }

  @Test
  void noMoreAreReadThanAreAskedFor() {
    for (String name : List.of("a", "b", "c")) {
      register(name);
      end("u-" + name, name, Outcome.STRANDED);
    }

    assertThat(upgrades.listStranded(2)).hasSize(2);
  }

  private List<StrandedDevice> stranded() {
    return upgrades.listStranded(1000).stream().filter(each -> each.tenant().equals(tenant)).toList();
  }

  private void register(String device) {
    var _ =
        devices.put(
            new DeviceSpec(
                new DeviceId(tenant, device), List.of(new HostId(device + "-host")), Map.of(), ZoneOffset.UTC, ""),
            Precondition.anything());
  }

  private void begin(String id, String device) {
    clock.advance(Duration.ofMinutes(1));
    var _ = upgrades.createIfAbsent(new NewUpgrade(id, new DeviceId(tenant, device), OS, "ann", "{}", "run-1"));
  }

  private void end(String id, String device, Outcome outcome) {
    begin(id, device);
    var _ = upgrades.recordEnd(tenant, id, new UpgradeEnd(outcome, Optional.empty(), "[]"));
  }
}
