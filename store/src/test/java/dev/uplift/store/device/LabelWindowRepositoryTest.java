package dev.uplift.store.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.uplift.store.DatabaseScenario;
import dev.uplift.store.NoSuchTenant;
import java.time.ZoneId;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class LabelWindowRepositoryTest extends DatabaseScenario {
  private LabelWindowRepository windows = database.repository(LabelWindowRepository.class);

  @BeforeEach
  void open() {
    windows = database.repository(LabelWindowRepository.class);
  }

  @Test
  void aValueOfALabelHasItsWindowsUntilTheyAreRemoved() {
    LabelWindowRow first = windows.put(tenant, "region", "north", "[1]", "ann");
    LabelWindowRow same = windows.put(tenant, "region", "north", "[1]", "bob");
    LabelWindowRow changed = windows.put(tenant, "region", "north", "[2]", "bob");
    windows.put(tenant, "region", "east", "[3]", "ann");

    assertThat(first).isEqualTo(new LabelWindowRow("region", "north", "[1]", 1, "ann", clock.instant()));
    assertThat(same).isEqualTo(first);
    assertThat(changed.version()).isEqualTo(2);
    assertThat(windows.find(tenant, "region", "north")).contains(changed);
    assertThat(windows.list(tenant)).extracting(LabelWindowRow::value).containsExactly("east", "north");
    assertThat(windows.list(newTenant())).isEmpty();
    assertThat(windows.remove(tenant, "region", "north")).isTrue();
    assertThat(windows.remove(tenant, "region", "north")).isFalse();
    assertThat(windows.find(tenant, "region", "north")).isEmpty();
  }

  @Test
  void aTenantThatDoesNotExistHasNoWindows() {
    assertThatThrownBy(() -> windows.put("unknown", "region", "north", "[]", "ann")).isInstanceOf(NoSuchTenant.class);
  }

  @Test
  void aDeviceHasWindowsOfItsOwn() {
    var deviceRepository = database.repository(DeviceRepository.class);
    var spec = new DeviceSpec(device("site"), hosts("left"), Map.of(), ZoneId.of("UTC"), "[1]");
    deviceRepository.put(spec, Precondition.absent());
    assertThat(deviceRepository.find(spec.id()).orElseThrow().spec()).isEqualTo(spec);

    SaveResult saveResult =
        deviceRepository.put(
            new DeviceSpec(device("site"), hosts("left"), Map.of(), ZoneId.of("UTC")), Precondition.version(1));

    assertThat(saveResult).isInstanceOf(SaveResult.Updated.class);
    assertThat(deviceRepository.find(spec.id()).orElseThrow().spec().windows()).isEmpty();
  }
}
