package dev.uplift.store;

import dev.uplift.fleet.DeviceId;
import dev.uplift.fleet.HostId;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;

/// The tables `device` and `device_label`, and which host is on which device. A host is on one
/// device of its tenant or on none.
public final class Devices {
  private final Database database;
  private final InstantSource clock;

  public Devices(Database database, InstantSource clock) {
    this.database = database;
    this.clock = clock;
  }

  /// The device is as `spec` says. What holds it stays.
  ///
  /// @throws NoSuchTenant if there is none for it
  public Saved put(DeviceSpec spec, Expected expected) {
    return database.run(handle -> {
      var table = new DeviceTable(handle);
      Optional<DeviceRow> found = table.lock(spec.id());
      if (!expected.holdsFor(found)) {
        return new Saved.Stale(found);
      }
      return found.isPresent() ? change(table, found.get(), spec) : create(table, spec);
    });
  }

  /// The device is as `change` makes it of what it is; nobody else changes it meanwhile.
  ///
  /// @param change keeps the id; may be called more than once
  public Saved patch(DeviceId id, Expected expected, UnaryOperator<DeviceSpec> change) {
    return changeFound(
        id, expected, (table, found) -> change(table, found, change.apply(found.spec())));
  }

  /// Nothing is upgraded on the device from now on; replaces an earlier hold.
  ///
  /// @param until empty if somebody has to end it
  public Saved hold(DeviceId id, String reason, String by, Optional<Instant> until) {
    return hold(id, Expected.present(), reason, by, until);
  }

  /// The same, if what is there is as expected.
  public Saved hold(
      DeviceId id, Expected expected, String reason, String by, Optional<Instant> until) {
    Optional<Instant> end = until.map(time -> time.truncatedTo(ChronoUnit.MILLIS));
    return changeFound(
        id,
        expected,
        (table, found) ->
            write(table, found, found.spec(), Optional.of(new Hold(reason, by, now(), end))));
  }

  /// Nothing holds the device any more.
  public Saved letGo(DeviceId id) {
    return letGo(id, Expected.present());
  }

  /// The same, if what is there is as expected.
  public Saved letGo(DeviceId id, Expected expected) {
    return changeFound(
        id,
        expected,
        (table, found) ->
            found.hold().isEmpty()
                ? new Saved.Unchanged(found)
                : write(table, found, found.spec(), Optional.empty()));
  }

  private Saved changeFound(DeviceId id, Expected expected, Change change) {
    return database.run(handle -> {
      var table = new DeviceTable(handle);
      Optional<DeviceRow> found = table.lock(id);
      if (found.isEmpty()) {
        return new Saved.NotThere();
      }
      return expected.holdsFor(found) ? change.of(table, found.get()) : new Saved.Stale(found);
    });
  }

  private interface Change {
    Saved of(DeviceTable table, DeviceRow found);
  }

  private Saved create(DeviceTable table, DeviceSpec spec) {
    Map<HostId, DeviceId> taken = table.taken(spec);
    if (!taken.isEmpty()) {
      return new Saved.HostsTaken(taken);
    }
    var row = new DeviceRow(spec, Optional.empty(), 1, now(), now());
    table.insert(row);
    return new Saved.Created(row);
  }

  private Saved change(DeviceTable table, DeviceRow found, DeviceSpec spec) {
    if (spec.equals(found.spec())) {
      return new Saved.Unchanged(found);
    }
    Map<HostId, DeviceId> taken = table.taken(spec);
    if (!taken.isEmpty()) {
      return new Saved.HostsTaken(taken);
    }
    if (!spec.hosts().containsAll(found.hosts())) {
      Optional<String> running = table.runningUpgrade(spec.id());
      if (running.isPresent()) {
        return new Saved.Busy(running.get());
      }
    }
    return write(table, found, spec, found.hold());
  }

  private Saved write(DeviceTable table, DeviceRow found, DeviceSpec spec, Optional<Hold> hold) {
    var row = new DeviceRow(spec, hold, found.version() + 1, found.createdAt(), now());
    table.update(row, found.spec());
    return new Saved.Changed(row);
  }

  /// The device is gone; its upgrades stay in the records. Hosts that ever spoke are then on no
  /// device, the others are gone with it.
  public Removal remove(DeviceId id, Expected expected) {
    return database.run(handle -> {
      var table = new DeviceTable(handle);
      Optional<DeviceRow> found = table.lock(id);
      if (found.isEmpty()) {
        return new Removal.NotThere();
      }
      if (!expected.holdsFor(found)) {
        return new Removal.Stale(found.get());
      }
      Optional<String> running = table.runningUpgrade(id);
      if (running.isPresent()) {
        return new Removal.Busy(running.get());
      }
      table.delete(found.get().spec());
      return new Removal.Removed(found.get());
    });
  }

  public Optional<DeviceRow> find(DeviceId id) {
    return database.run(handle -> new DeviceTable(handle).find(id));
  }

  /// Those of them that there are, by name.
  public Map<String, DeviceRow> all(String tenant, Collection<String> names) {
    return database.run(handle -> {
      var table = new DeviceTable(handle);
      Map<String, DeviceRow> found = new HashMap<>();
      // Each by its key: for a list H2 would read all devices of the tenant.
      for (String name : Set.copyOf(names)) {
        table.find(new DeviceId(tenant, name)).ifPresent(row -> found.put(name, row));
      }
      return found;
    });
  }

  /// The device that a host is on.
  public Optional<DeviceRow> ofHost(String tenant, HostId host) {
    return database.run(handle ->
        handle
            .createQuery(
                """
                SELECT device.* FROM host
                JOIN device ON device.tenant = host.tenant AND device.name = host.device
                WHERE host.tenant = :tenant AND host.name = :host\
                """)
            .bind("tenant", tenant)
            .bind("host", host.value())
            .map(DeviceTable.ROW)
            .findOne());
  }

  /// By name.
  ///
  /// @param labels that a device must all have, with these values
  public Page<DeviceRow> list(String tenant, Map<String, String> labels, PageRequest page) {
    return list(tenant, new DeviceFilter(labels, Optional.empty()), page);
  }

  /// By name.
  public Page<DeviceRow> list(String tenant, DeviceFilter filter, PageRequest page) {
    String after = Cursor.of(page, 1).map(cursor -> cursor.part(0)).orElse("");
    List<DeviceRow> rows =
        database.run(handle ->
            filter
                .question()
                .with("tenant", tenant)
                .with("after", after)
                .rows(handle, page, DeviceTable.ROW));
    return Cursor.page(rows, page, device -> Cursor.write(device.id().name()));
  }

  /// As the table keeps it, so that a row that was written is the row that is read.
  private Instant now() {
    return clock.instant().truncatedTo(ChronoUnit.MILLIS);
  }
}
