package dev.uplift.store.upgrade;

import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.fleet.HostId;
import dev.uplift.fleet.Outcome;
import dev.uplift.fleet.Release;
import dev.uplift.fleet.barrier.BarrierId;
import dev.uplift.store.DatabaseScenario;
import dev.uplift.store.barrier.BarrierRepository;
import dev.uplift.store.barrier.NewBarrier;
import dev.uplift.store.device.DeviceRepository;
import dev.uplift.store.device.HostInfo;
import dev.uplift.store.device.HostOffer;
import dev.uplift.store.device.HostRepository;
import dev.uplift.store.device.Precondition;
import dev.uplift.store.pin.HostHold;
import dev.uplift.store.pin.HostHoldRepository;
import dev.uplift.store.pin.PinRepository;
import dev.uplift.store.tenant.TenantStopRepository;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class UpgradeFactRepositoryTest extends DatabaseScenario {
  private static final Release TILL = new Release("till", "1.4");
  private static final UpgradeFacts NONE = new UpgradeFacts(false, false, false, false, false);
  private static final UpgradeFacts PINNED = new UpgradeFacts(false, false, true, false, false);

  private UpgradeFactRepository facts = database.repository(UpgradeFactRepository.class);
  private DeviceRepository devices = database.repository(DeviceRepository.class);

  @BeforeEach
  void createDevices() {
    facts = database.repository(UpgradeFactRepository.class);
    devices = database.repository(DeviceRepository.class);
    devices.put(spec("north", "n1", "n2"), Precondition.absent());
    devices.put(spec("south", "s1"), Precondition.absent());
  }

  @Test
  void whereNothingCountsOneStatementSaysSo() {
    long before = database.counts().statements();

    assertThat(find("north")).isEqualTo(NONE);

    assertThat(database.counts().statements() - before).isEqualTo(1);
  }

  @Test
  void aDeviceIsHeldUntilItIsReleasedAndSoIsOneThatDoesNotExist() {
    devices.hold(device("north"), "audit", "ann", Optional.empty());

    assertThat(find("north")).isEqualTo(new UpgradeFacts(true, false, false, false, false));
    assertThat(find("nowhere")).isEqualTo(new UpgradeFacts(true, false, false, false, false));
    assertThat(find("south")).isEqualTo(NONE);
    devices.releaseHold(device("north"));
    assertThat(find("north")).isEqualTo(NONE);
  }

  @Test
  void theStopOfATenantCountsOnAllOfItsDevices() {
    TenantStopRepository stops = database.repository(TenantStopRepository.class);
    stops.stop(newTenant(), "audit", "ann");
    assertThat(find("north")).isEqualTo(NONE);

    stops.stop(tenant, "audit", "ann");
    assertThat(find("north")).isEqualTo(new UpgradeFacts(false, true, false, false, false));
    assertThat(find("south")).isEqualTo(new UpgradeFacts(false, true, false, false, false));
  }

  @Test
  void aPinCountsForItsPackageOnItsDevice() {
    PinRepository pins = database.repository(PinRepository.class);
    pins.set(device("north"), "os", Optional.empty(), "audit", "ann", Optional.empty());
    assertThat(find("north")).isEqualTo(NONE);

    pins.set(device("north"), "till", Optional.of("1.3"), "certified", "ann", Optional.empty());
    assertThat(find("north")).isEqualTo(PINNED);
    assertThat(find("south")).isEqualTo(NONE);
  }

  @Test
  void whatTheOwnerOfAHostHoldsCountsOnItsDevice() {
    HostHoldRepository holds = database.repository(HostHoldRepository.class);
    holds.record(tenant, new HostId("n2"), List.of(hold("os")));
    assertThat(find("north")).isEqualTo(NONE);

    holds.record(tenant, new HostId("n2"), List.of(hold("os"), hold("till")));
    assertThat(find("north")).isEqualTo(PINNED);
    assertThat(find("south")).isEqualTo(NONE);
  }

  @Test
  void anOpenBarrierCountsForItsPackageOnItsDevices() {
    BarrierRepository barriers = database.repository(BarrierRepository.class);
    createBarrier(barriers, "schema-6", "os");
    assertThat(find("north")).isEqualTo(NONE);

    createBarrier(barriers, "schema-7", "till");
    assertThat(find("north")).isEqualTo(PINNED);
    assertThat(find("south")).isEqualTo(NONE);
  }

  @Test
  void aFailureCountsForItsReleaseUntilItIsCleared() {
    UpgradeRepository upgrades = database.repository(UpgradeRepository.class);
    upgrades.createIfAbsent(new NewUpgrade("u1", device("north"), TILL, "ann", "{}", "run-1"));
    assertThat(find("north")).isEqualTo(NONE);

    var broken = new UpgradeEnd.EndReason("error", "health", "final", "does not answer");
    upgrades.recordEnd(tenant, "u1", new UpgradeEnd(Outcome.ROLLED_BACK, Optional.of(broken), "[]"));
    assertThat(find("north")).isEqualTo(new UpgradeFacts(false, false, false, true, false));
    assertThat(find("south")).isEqualTo(NONE);
    assertThat(facts.find(device("north"), new Release("till", "1.5"))).isEqualTo(NONE);

    database.repository(FailureRepository.class).clearFailures(device("north"), TILL);
    assertThat(find("north")).isEqualTo(NONE);
  }

  @Test
  void whatIsOfferedToAHostCountsForItsPackageOnItsDevice() {
    recordOffers(new HostOffer("os", "abc", 3, 1), new HostOffer("till", "none", 0, 0));
    assertThat(find("north")).isEqualTo(NONE);

    recordOffers(new HostOffer("till", "abc", 1, 0));
    assertThat(find("north")).isEqualTo(new UpgradeFacts(false, false, false, false, true));
    assertThat(find("south")).isEqualTo(NONE);
  }

  private void recordOffers(HostOffer... offers) {
    var info =
        new HostInfo(
            "{}",
            "1",
            "amd64",
            List.of(),
            "boot",
            "instance",
            "running",
            Map.of(),
            clock.advance(Duration.ofSeconds(1)));
    database.repository(HostRepository.class).recordInfo(tenant, new HostId("n2"), info, List.of(), List.of(offers));
  }

  private UpgradeFacts find(String device) {
    return facts.find(device(device), TILL);
  }

  private HostHold hold(String packageName) {
    return new HostHold(packageName, "stocktaking", "root", clock.instant(), Optional.empty());
  }

  private void createBarrier(BarrierRepository barriers, String name, String packageName) {
    var _ =
        database.inTransaction(() ->
            barriers.create(
                new NewBarrier(
                    new BarrierId(tenant, name),
                    packageName,
                    "{}",
                    Optional.empty(),
                    "a migration by ann",
                    new TreeMap<>(Map.of("north", List.of(new HostId("n1")))),
                    clock.instant().plusSeconds(60),
                    clock.instant().plusSeconds(600)),
                "ann"));
  }
}
