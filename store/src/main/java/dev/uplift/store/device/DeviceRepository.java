package dev.uplift.store.device;

import dev.uplift.fleet.DeviceId;
import dev.uplift.fleet.HostId;
import dev.uplift.store.Cursor;
import dev.uplift.store.Database;
import dev.uplift.store.NoSuchTenant;
import dev.uplift.store.Page;
import dev.uplift.store.PageRequest;
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
public final class DeviceRepository {
  private final Database database;
  private final InstantSource clock;

  public DeviceRepository(Database database, InstantSource clock) {
    this.database = database;
    this.clock = clock;
  }

  /// The device is as `spec` says. What holds it stays.
  ///
  /// @throws NoSuchTenant if there is none for it
  public SaveResult put(DeviceSpec spec, Precondition precondition) {
    return database.withHandle(handle -> {
      var table = new DeviceStatements(handle);
      Optional<DeviceRow> found = table.lock(spec.id());
      if (!precondition.isMetBy(found)) {
        return new SaveResult.PreconditionFailed(found);
      }
      return found.isPresent() ? change(table, found.get(), spec) : create(table, spec);
    });
  }

  /// The device is as `change` makes it of what it is; nobody else changes it meanwhile.
  ///
  /// @param change keeps the id; may be called more than once
  public SaveResult patch(DeviceId id, Precondition precondition, UnaryOperator<DeviceSpec> change) {
    return changeExisting(
        id, precondition, (table, found) -> change(table, found, change.apply(found.spec())));
  }

  /// Nothing is upgraded on the device from now on; replaces an earlier hold.
  ///
  /// @param until empty if somebody has to end it
  public SaveResult hold(DeviceId id, String reason, String by, Optional<Instant> until) {
    return hold(id, Precondition.present(), reason, by, until);
  }

  /// The same, if what is there is as expected.
  public SaveResult hold(
      DeviceId id, Precondition precondition, String reason, String by, Optional<Instant> until) {
    Optional<Instant> end = until.map(time -> time.truncatedTo(ChronoUnit.MILLIS));
    return changeExisting(
        id,
        precondition,
        (table, found) ->
            write(table, found, found.spec(), Optional.of(new Hold(reason, by, now(), end))));
  }

  /// Nothing holds the device any more.
  public SaveResult releaseHold(DeviceId id) {
    return releaseHold(id, Precondition.present());
  }

  /// The same, if what is there is as expected.
  public SaveResult releaseHold(DeviceId id, Precondition precondition) {
    return changeExisting(
        id,
        precondition,
        (table, found) ->
            found.hold().isEmpty()
                ? new SaveResult.Unchanged(found)
                : write(table, found, found.spec(), Optional.empty()));
  }

  private SaveResult changeExisting(DeviceId id, Precondition precondition, Change change) {
    return database.withHandle(handle -> {
      var table = new DeviceStatements(handle);
      Optional<DeviceRow> found = table.lock(id);
      if (found.isEmpty()) {
        return new SaveResult.NotFound();
      }
      return precondition.isMetBy(found) ? change.apply(table, found.get()) : new SaveResult.PreconditionFailed(found);
    });
  }

  private interface Change {
    SaveResult apply(DeviceStatements table, DeviceRow found);
  }

  private SaveResult create(DeviceStatements table, DeviceSpec spec) {
    Map<HostId, DeviceId> taken = table.hostsOnOtherDevices(spec);
    if (!taken.isEmpty()) {
      return new SaveResult.HostsTaken(taken);
    }
    var row = new DeviceRow(spec, Optional.empty(), 1, now(), now());
    table.insert(row);
    return new SaveResult.Created(row);
  }

  private SaveResult change(DeviceStatements table, DeviceRow found, DeviceSpec spec) {
    if (spec.equals(found.spec())) {
      return new SaveResult.Unchanged(found);
    }
    Map<HostId, DeviceId> taken = table.hostsOnOtherDevices(spec);
    if (!taken.isEmpty()) {
      return new SaveResult.HostsTaken(taken);
    }
    if (!spec.hosts().containsAll(found.hosts())) {
      Optional<String> running = table.runningUpgrade(spec.id());
      if (running.isPresent()) {
        return new SaveResult.Busy(running.get());
      }
    }
    return write(table, found, spec, found.hold());
  }

  private SaveResult write(DeviceStatements table, DeviceRow found, DeviceSpec spec, Optional<Hold> hold) {
    var row = new DeviceRow(spec, hold, found.version() + 1, found.createdAt(), now());
    table.update(row, found.spec());
    return new SaveResult.Updated(row);
  }

  /// The device is gone; its upgrades stay in the records. Hosts that ever spoke are then on no
  /// device, the others are gone with it.
  public RemoveResult remove(DeviceId id, Precondition precondition) {
    return database.withHandle(handle -> {
      var table = new DeviceStatements(handle);
      Optional<DeviceRow> found = table.lock(id);
      if (found.isEmpty()) {
        return new RemoveResult.NotFound();
      }
      if (!precondition.isMetBy(found)) {
        return new RemoveResult.PreconditionFailed(found.get());
      }
      Optional<String> running = table.runningUpgrade(id);
      if (running.isPresent()) {
        return new RemoveResult.Busy(running.get());
      }
      table.delete(found.get().spec());
      return new RemoveResult.Removed(found.get());
    });
  }

  public Optional<DeviceRow> find(DeviceId id) {
    return database.withHandle(handle -> new DeviceStatements(handle).find(id));
  }

  /// Those of them that there are, by name.
  public Map<String, DeviceRow> findAll(String tenant, Collection<String> names) {
    return database.withHandle(handle -> {
      var table = new DeviceStatements(handle);
      Map<String, DeviceRow> found = new HashMap<>();
      // Each by its key: for a list H2 would read all devices of the tenant.
      for (String name : Set.copyOf(names)) {
        table.find(new DeviceId(tenant, name)).ifPresent(row -> found.put(name, row));
      }
      return found;
    });
  }

  /// The device that a host is on.
  public Optional<DeviceRow> findByHost(String tenant, HostId host) {
    return database.withHandle(handle ->
        handle
            .createQuery(
                """
                SELECT device.* FROM host
                JOIN device ON device.tenant = host.tenant AND device.name = host.device
                WHERE host.tenant = :tenant AND host.name = :host\
                """)
            .bind("tenant", tenant)
            .bind("host", host.value())
            .map(DeviceStatements.ROW)
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
        database.withHandle(handle ->
            filter
                .toQuery()
                .bind("tenant", tenant)
                .bind("after", after)
                .fetch(handle, page, DeviceStatements.ROW));
    return Cursor.toPage(rows, page, device -> Cursor.encode(device.id().name()));
  }

  /// As the table keeps it, so that a row that was written is the row that is read.
  private Instant now() {
    return clock.instant().truncatedTo(ChronoUnit.MILLIS);
  }
}
