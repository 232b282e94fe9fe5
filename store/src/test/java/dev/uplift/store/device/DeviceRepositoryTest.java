package dev.uplift.store.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.uplift.fleet.DeviceId;
import dev.uplift.fleet.HostId;
import dev.uplift.fleet.Outcome;
import dev.uplift.fleet.Release;
import dev.uplift.store.Cursor;
import dev.uplift.store.DatabaseScenario;
import dev.uplift.store.MalformedCursor;
import dev.uplift.store.NoSuchTenant;
import dev.uplift.store.Page;
import dev.uplift.store.PageRequest;
import dev.uplift.store.audit.AuditRepository;
import dev.uplift.store.upgrade.NewUpgrade;
import dev.uplift.store.upgrade.UpgradeEnd;
import dev.uplift.store.upgrade.UpgradeRepository;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class DeviceRepositoryTest extends DatabaseScenario {
  private DeviceRepository devices = database.repository(DeviceRepository.class);

  @BeforeEach
  void open() {
    devices = database.repository(DeviceRepository.class);
  }

  @Test
  void aDeviceIsStoredAsItWasPut() {
    var spec =
        new DeviceSpec(
            device("site"),
            hosts("web-2", "web-1", "DB_1"),
            Map.of("ring", "a=b\\c\nd", "", "empty name", "größe", "☂ 😀", "none", ""),
            ZoneId.of("Europe/Lisbon"));

    DeviceRow created = created(spec);

    assertThat(devices.find(device("site"))).contains(created);
    assertThat(created.spec()).isEqualTo(spec);
    assertThat(created.version()).isEqualTo(1);
    assertThat(created.createdAt()).isEqualTo(clock.instant());
    assertThat(devices.find(device("other"))).isEmpty();
  }

  @Test
  void aChangeIncrementsTheVersionAndAnIdenticalOneDoesNot() {
    created(spec("site", "left"));
    Instant later = clock.advance(Duration.ofHours(1));

    SaveResult changed = devices.put(spec("site", "left", "right"), Precondition.anything());
    clock.advance(Duration.ofHours(1));
    SaveResult again = devices.put(spec("site", "left", "right"), Precondition.anything());

    assertThat(changed).isInstanceOf(SaveResult.Updated.class);
    DeviceRow row = devices.find(device("site")).orElseThrow();
    assertThat(again).isEqualTo(new SaveResult.Unchanged(row));
    assertThat(row.version()).isEqualTo(2);
    assertThat(row.changedAt()).isEqualTo(later);
    assertThat(row.createdAt()).isEqualTo(later.minus(Duration.ofHours(1)));
  }

  @Test
  void failedPreconditionChangesNothing() {
    DeviceRow row = created(spec("site", "left"));
    DeviceSpec other = spec("site", "right");

    assertThat(devices.put(other, Precondition.absent()))
        .isEqualTo(new SaveResult.PreconditionFailed(Optional.of(row)));
    assertThat(devices.put(other, Precondition.version(2)))
        .isEqualTo(new SaveResult.PreconditionFailed(Optional.of(row)));
    assertThat(devices.patch(device("site"), Precondition.version(7), found -> other))
        .isEqualTo(new SaveResult.PreconditionFailed(Optional.of(row)));
    assertThat(devices.remove(device("site"), Precondition.version(7)))
        .isEqualTo(new RemoveResult.PreconditionFailed(row));
    assertThat(devices.put(spec("new", "new"), Precondition.present()))
        .isEqualTo(new SaveResult.PreconditionFailed(Optional.empty()));
    assertThat(devices.find(device("site"))).contains(row);
    assertThat(devices.put(other, Precondition.version(1))).isInstanceOf(SaveResult.Updated.class);
  }

  @Test
  void aHostIsOnOneDevice() {
    created(spec("one", "left", "right"));
    DeviceRow two = created(spec("two", "middle"));

    SaveResult put = devices.put(spec("two", "middle", "right", "left"), Precondition.anything());
    SaveResult fresh = devices.put(spec("three", "left"), Precondition.anything());

    assertThat(put)
        .isEqualTo(
            new SaveResult.HostsTaken(Map.of(new HostId("left"), device("one"), new HostId("right"), device("one"))));
    assertThat(fresh).isInstanceOf(SaveResult.HostsTaken.class);
    assertThat(devices.find(device("two"))).contains(two);
    assertThat(devices.find(device("three"))).isEmpty();
    assertThat(devices.findByHost(tenant, new HostId("left")).orElseThrow().id()).isEqualTo(device("one"));
  }

  @Test
  void aRemovedHostMayBeAddedToAnotherDevice() {
    created(spec("one", "left", "right"));
    devices.put(spec("one", "left"), Precondition.anything());

    assertThat(devices.findByHost(tenant, new HostId("right"))).isEmpty();
    assertThat(devices.put(spec("two", "right"), Precondition.absent())).isInstanceOf(SaveResult.Created.class);
  }

  @Test
  void hostsAndDeviceCannotBeRemovedDuringAnUpgrade() {
    created(spec("site", "left", "right"));
    var upgradeRepository = database.repository(UpgradeRepository.class);
    upgradeRepository.createIfAbsent(new NewUpgrade("u1", device("site"), new Release("os", "1"), "ann", "", "run-1"));

    assertThat(devices.put(spec("site", "left"), Precondition.anything())).isEqualTo(new SaveResult.Busy("u1"));
    assertThat(devices.remove(device("site"), Precondition.anything())).isEqualTo(new RemoveResult.Busy("u1"));
    assertThat(devices.put(spec("site", "right", "left", "third"), Precondition.anything()))
        .isInstanceOf(SaveResult.Updated.class);

    upgradeRepository.recordEnd(tenant, "u1", new UpgradeEnd(Outcome.UPGRADED, Optional.empty(), "[]"));
    assertThat(devices.put(spec("site", "left"), Precondition.anything())).isInstanceOf(SaveResult.Updated.class);
  }

  @Test
  void aHoldLastsUntilItsEndOrItsRemoval() {
    created(spec("site", "left"));
    Instant until = clock.instant().plus(Duration.ofDays(3)).plusNanos(999);

    devices.hold(device("site"), "frozen", "ann", Optional.of(until));
    devices.put(spec("site", "left", "right"), Precondition.anything());

    DeviceRow held = devices.find(device("site")).orElseThrow();
    assertThat(held.version()).isEqualTo(3);
    Hold hold = held.activeHold(clock.instant()).orElseThrow();
    assertThat(hold.by()).isEqualTo("ann");
    assertThat(hold.reason()).isEqualTo("frozen");
    assertThat(hold.since()).isEqualTo(clock.instant());
    assertThat(held.activeHold(until)).isEmpty();

    assertThat(devices.releaseHold(device("site"))).isInstanceOf(SaveResult.Updated.class);
    assertThat(devices.releaseHold(device("site"))).isInstanceOf(SaveResult.Unchanged.class);
    assertThat(devices.find(device("site")).orElseThrow().hold()).isEmpty();
  }

  @Test
  void aHoldWithoutAnEndLastsForEver() {
    created(spec("site", "left"));

    SaveResult saveResult = devices.hold(device("site"), "", "ann", Optional.empty());

    DeviceRow row = devices.find(device("site")).orElseThrow();
    assertThat(saveResult).isEqualTo(new SaveResult.Updated(row));
    assertThat(row.activeHold(Instant.parse("2999-01-01T00:00:00Z"))).isPresent();
  }

  @Test
  void aMissingDeviceIsNotChanged() {
    assertThat(devices.patch(device("no"), Precondition.anything(), found -> found))
        .isEqualTo(new SaveResult.NotFound());
    assertThat(devices.hold(device("no"), "", "ann", Optional.empty())).isEqualTo(new SaveResult.NotFound());
    assertThat(devices.releaseHold(device("no"))).isEqualTo(new SaveResult.NotFound());
    assertThat(devices.remove(device("no"), Precondition.anything())).isEqualTo(new RemoveResult.NotFound());
  }

  @Test
  void hostsOfARemovedDeviceMayBeAddedToAnother() {
    DeviceRow row = created(labelled("site", Map.of("ring", "a")));

    assertThat(devices.remove(device("site"), Precondition.version(1))).isEqualTo(new RemoveResult.Removed(row));
    assertThat(devices.find(device("site"))).isEmpty();
    assertThat(names(Map.of("ring", "a"))).isEmpty();
    assertThat(devices.put(spec("other", "host-of-site"), Precondition.absent()))
        .isInstanceOf(SaveResult.Created.class);
  }

  @Test
  void aTenantThatDoesNotExistHasNoDevices() {
    var spec = new DeviceSpec(new DeviceId("unknown", "site"), List.of(), Map.of(), ZoneId.of("UTC"));

    assertThatThrownBy(() -> devices.put(spec, Precondition.anything())).isInstanceOf(NoSuchTenant.class);
  }

  @Test
  void devicesAreFoundByAllOfTheirLabels() {
    created(labelled("a", Map.of("ring", "one", "country", "de")));
    created(labelled("b", Map.of("ring", "one", "country", "fr")));
    created(labelled("c", Map.of("ring", "two", "country", "de")));

    assertThat(names(Map.of())).containsExactly("a", "b", "c");
    assertThat(names(Map.of("ring", "one"))).containsExactly("a", "b");
    assertThat(names(Map.of("ring", "one", "country", "de"))).containsExactly("a");
    assertThat(names(Map.of("ring", "one", "country", "it"))).isEmpty();

    devices.put(labelled("b", Map.of("ring", "two")), Precondition.anything());
    assertThat(names(Map.of("ring", "one"))).containsExactly("a");
    assertThat(names(Map.of("country", "fr"))).isEmpty();
  }

  @Test
  void aListIsReadPageByPage() {
    List<String> expected = IntStream.range(0, 25).mapToObj(i -> "device-%02d".formatted(i)).toList();
    expected.reversed().forEach(name -> created(labelled(name, Map.of("ring", "one"))));

    for (Map<String, String> labels : List.of(Map.<String, String>of(), Map.of("ring", "one"))) {
      var seen = new ArrayList<String>();
      var pages = new ArrayList<Integer>();
      Optional<PageRequest> next = Optional.of(PageRequest.first(10));
      while (next.isPresent()) {
        Page<DeviceRow> page = devices.list(tenant, labels, next.get());
        page.rows().forEach(row -> seen.add(row.id().name()));
        pages.add(page.rows().size());
        next = next.get().next(page);
      }
      assertThat(seen).isEqualTo(expected);
      assertThat(pages).containsExactly(10, 10, 5);
    }
  }

  @Test
  void malformedCursorIsRejected() {
    for (String cursor : List.of("%%%", "", Cursor.encode("a", "b"))) {
      var page = new PageRequest(Optional.of(cursor), 10);
      if (!cursor.isEmpty()) {
        assertThatThrownBy(() -> devices.list(tenant, Map.of(), page)).isInstanceOf(MalformedCursor.class);
      }
      assertThatThrownBy(() -> database.repository(AuditRepository.class).list(tenant, Optional.empty(), page))
          .isInstanceOf(MalformedCursor.class);
    }
  }

  private DeviceRow created(DeviceSpec spec) {
    SaveResult saveResult = devices.put(spec, Precondition.absent());
    assertThat(saveResult).isInstanceOf(SaveResult.Created.class);
    return ((SaveResult.Created) saveResult).device();
  }

  private DeviceSpec labelled(String name, Map<String, String> labels) {
    return new DeviceSpec(device(name), hosts("host-of-" + name), labels, ZoneId.of("UTC"));
  }

  private List<String> names(Map<String, String> labels) {
    return devices.list(tenant, labels, PageRequest.first(100)).rows().stream().map(row -> row.id().name()).toList();
  }
}
