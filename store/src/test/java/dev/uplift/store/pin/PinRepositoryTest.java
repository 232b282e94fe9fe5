package dev.uplift.store.pin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.uplift.fleet.HostId;
import dev.uplift.fleet.pin.PinOrigin;
import dev.uplift.store.DatabaseScenario;
import dev.uplift.store.Page;
import dev.uplift.store.PageRequest;
import dev.uplift.store.device.DeviceRepository;
import dev.uplift.store.device.HostInfo;
import dev.uplift.store.device.HostRepository;
import dev.uplift.store.device.Precondition;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class PinRepositoryTest extends DatabaseScenario {
  private static final Optional<Instant> OPEN = Optional.empty();

  private PinRepository pins = database.repository(PinRepository.class);
  private HostHoldRepository holds = database.repository(HostHoldRepository.class);
  private DeviceRepository devices = database.repository(DeviceRepository.class);

  @BeforeEach
  void createDevices() {
    pins = database.repository(PinRepository.class);
    holds = database.repository(HostHoldRepository.class);
    devices = database.repository(DeviceRepository.class);
    devices.put(spec("north", "n1", "n2"), Precondition.absent());
    devices.put(spec("south", "s1"), Precondition.absent());
  }

  @Test
  void aPinStaysUntilItIsReplacedOrRemoved() {
    Instant end = clock.instant().plus(Duration.ofDays(1));
    PinRow first = pins.set(device("north"), "till", Optional.of("1.4"), "certified", "ann", Optional.of(end));
    PinRow same = pins.set(device("north"), "till", Optional.of("1.4"), "certified", "bob", Optional.of(end));
    clock.advance(Duration.ofSeconds(1));
    PinRow hold = pins.set(device("north"), "till", Optional.empty(), "audit", "bob", OPEN);

    assertThat(first)
        .isEqualTo(
            new PinRow(
                tenant,
                "north",
                "till",
                Optional.of("1.4"),
                "certified",
                "ann",
                PinOrigin.OPERATOR,
                "",
                hold.since().minusSeconds(1),
                Optional.of(end),
                1));
    assertThat(same).isEqualTo(first);
    assertThat(hold.pin().isHold()).isTrue();
    assertThat(hold.revision()).isEqualTo(2);
    assertThat(hold.setBy()).isEqualTo("bob");
    assertThat(pins.find(device("north"), "till")).contains(hold);
    assertThat(pins.remove(device("north"), "till")).isTrue();
    assertThat(pins.remove(device("north"), "till")).isFalse();
    assertThat(pins.find(device("north"))).isEmpty();
  }

  @Test
  void whatTheOwnerOfAHostHoldsIsAPinOfItsDevice() {
    HostHold hold = hold("till", "stocktaking", Optional.of(clock.instant().plusSeconds(60)));
    holds.record(tenant, new HostId("n2"), List.of(hold, hold("os", "tests", OPEN)));
    PinRow ofOperator = pins.set(device("north"), "till", Optional.of("1.4"), "certified", "ann", OPEN);

    List<PinRow> found = pins.find(device("north"));

    assertThat(found).extracting(PinRow::packageName).containsExactly("os", "till", "till");
    assertThat(found.get(1).origin()).isEqualTo(PinOrigin.HOST);
    assertThat(found.get(1).pin().host()).contains(new HostId("n2"));
    assertThat(found.get(1).pin().until()).isEqualTo(hold.until());
    assertThat(found.get(1).setBy()).isEqualTo("root");
    assertThat(found.get(2)).isEqualTo(ofOperator);
    assertThat(pins.find(device("south"))).isEmpty();
  }

  @Test
  void whatAHostNoLongerReportsIsGone() {
    holds.record(tenant, new HostId("n1"), List.of(hold("till", "tests", OPEN), hold("os", "tests", OPEN)));
    holds.record(tenant, new HostId("n2"), List.of(hold("os", "other tests", OPEN)));
    holds.record(tenant, new HostId("n1"), List.of(hold("os", "tests", OPEN)));

    assertThat(pins.find(device("north")))
        .extracting(PinRow::packageName, PinRow::host)
        .containsExactly(tuple("os", "n1"), tuple("os", "n2"));
    holds.record(tenant, new HostId("n1"), List.of());
    assertThat(pins.find(device("north"))).extracting(PinRow::host).containsExactly("n2");
  }

  @Test
  void whatAnOwnerHoldsGoesWithTheHostToAnotherDevice() {
    var info = new HostInfo("{}", "1", "amd64", List.of(), "boot", "instance", "running", Map.of(), clock.instant());
    database.repository(HostRepository.class).recordInfo(tenant, new HostId("n2"), info, List.of(), List.of());
    holds.record(tenant, new HostId("n2"), List.of(hold("till", "tests", OPEN)));

    devices.put(spec("north", "n1"), Precondition.present());
    assertThat(pins.findAll(tenant, PageRequest.first(10)).rows()).isEmpty();
    devices.put(spec("south", "s1", "n2"), Precondition.present());
    assertThat(pins.find(device("south"))).extracting(PinRow::host).containsExactly("n2");
  }

  @Test
  void pinsEndWithTheirDevice() {
    pins.set(device("north"), "till", Optional.of("1.4"), "certified", "ann", OPEN);
    devices.remove(device("north"), Precondition.anything());
    devices.put(spec("north", "n1", "n2"), Precondition.absent());

    assertThat(pins.find(device("north"))).isEmpty();
  }

  @Test
  void allOfATenantAreReadPageByPage() {
    pins.set(device("south"), "till", Optional.of("1.4"), "certified", "ann", OPEN);
    pins.set(device("north"), "till", Optional.of("1.4"), "certified", "ann", OPEN);
    pins.set(device("north"), "os", Optional.empty(), "audit", "ann", OPEN);
    holds.record(tenant, new HostId("n1"), List.of(hold("till", "tests", OPEN)));
    holds.record(tenant, new HostId("n2"), List.of(hold("till", "tests", OPEN)));
    holds.record(tenant, new HostId("s1"), List.of(hold("app", "tests", OPEN)));

    List<String> found = new ArrayList<>();
    Optional<PageRequest> next = Optional.of(PageRequest.first(1));
    while (next.isPresent()) {
      Page<PinRow> page = pins.findAll(tenant, next.get());
      page.rows().forEach(row -> found.add("%s %s %s".formatted(row.device(), row.packageName(), row.host()).strip()));
      next = next.get().next(page);
    }

    assertThat(found)
        .containsExactly("north os", "north till n1", "north till n2", "north till", "south app s1", "south till");
    assertThat(pins.findAll(tenant, PageRequest.first(10)).rows()).hasSize(6);
    assertThat(pins.findAll(newTenant(), PageRequest.first(10)).rows()).isEmpty();
    assertThat(pins.listOfPackage(tenant, "till"))
        .extracting(PinRow::device, PinRow::host)
        .containsExactly(tuple("north", "n1"), tuple("north", "n2"), tuple("north", ""), tuple("south", ""));
  }

  private HostHold hold(String packageName, String reason, Optional<Instant> until) {
    return new HostHold(packageName, reason, "root", clock.instant(), until);
  }
}
