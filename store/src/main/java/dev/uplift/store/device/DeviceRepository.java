package dev.uplift.store.device;

import dev.uplift.fleet.DeviceId;
import dev.uplift.fleet.HostId;
import dev.uplift.store.ConcurrentModification;
import dev.uplift.store.Cursor;
import dev.uplift.store.NoSuchTenant;
import dev.uplift.store.Page;
import dev.uplift.store.PageRequest;
import dev.uplift.store.StoreClock;
import dev.uplift.store.StoredText;
import dev.uplift.store.Transacted;
import dev.uplift.store.device.DeviceFilter.RunningVersion;
import dev.uplift.store.event.TenantEventRepository;
import dev.uplift.store.upgrade.UpgradeRepository;
import io.micronaut.data.annotation.Query;
import io.micronaut.data.jdbc.annotation.JdbcRepository;
import io.micronaut.data.model.query.builder.sql.Dialect;
import io.micronaut.data.repository.GenericRepository;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// The tables `device` and `device_label`. [DeviceHostRepository] has which host is on which device.
@JdbcRepository(dialect = Dialect.POSTGRES)
@Transacted
public abstract class DeviceRepository implements GenericRepository<DeviceRow, String> {
  private static final String KEY = " WHERE tenant = :tenant AND name = :device";

  /// An empty package matches every device, an empty version a host that never reported the package.
  private static final String RUNNING_VERSION =
      """
       AND (:packageName = '' OR EXISTS (SELECT 1 FROM host
        LEFT JOIN host_version v
          ON v.tenant = host.tenant AND v.host = host.name AND v.package = :packageName
        WHERE host.tenant = device.tenant AND host.device = device.name
          AND ((:running = '' AND v.version IS NULL) OR v.version = :running)))
      """;

  private static final String CANDIDATES =
      """
      SELECT d.* FROM (SELECT tenant, device FROM rollout_target
        WHERE tenant = :tenant AND rollout = :rollout AND wave >= :after AND (wave > :after OR position > :afterPosition)
        AND wave <= :last AND (wave < :last OR position <= :lastPosition) AND offline_since IS NULL AND state =
      """;

  private static final String CANDIDATES_END =
      """
       ORDER BY tenant, rollout, state, wave, position LIMIT :limit) t
      JOIN device d ON d.tenant = t.tenant AND d.name = t.device
      """;

  private final StoreClock clock;
  private final DeviceHostRepository deviceHosts;
  private final UpgradeRepository upgrades;
  private final TenantEventRepository events;

  protected DeviceRepository(
      StoreClock clock, DeviceHostRepository deviceHosts, UpgradeRepository upgrades, TenantEventRepository events) {
    this.clock = clock;
    this.deviceHosts = deviceHosts;
    this.upgrades = upgrades;
    this.events = events;
  }

  /// Makes the device as `spec` says. Its hold stays.
  ///
  /// @throws NoSuchTenant if its tenant does not exist
  public SaveResult put(DeviceSpec spec, Precondition precondition) {
    Optional<DeviceRow> found = lock(spec.id());
    if (!precondition.isMetBy(found)) {
      return new SaveResult.PreconditionFailed(found);
    }
    return found.isPresent() ? change(found.get(), spec) : create(spec);
  }

  /// Makes the device as `change` makes it of what it is; no other transaction changes it meanwhile.
  ///
  /// @param change keeps the id; may be called more than once
  public SaveResult patch(DeviceId id, Precondition precondition, UnaryOperator<DeviceSpec> change) {
    return changeExisting(id, precondition, found -> change(found, change.apply(found.spec())));
  }

  /// Holds the device: nothing is upgraded on it from now on. Replaces an earlier hold.
  ///
  /// @param until empty if a person has to end it
  public SaveResult hold(DeviceId id, String reason, String by, Optional<Instant> until) {
    return hold(id, Precondition.present(), reason, by, until);
  }

  /// [#hold(DeviceId, String, String, Optional)], if the device is as expected.
  public SaveResult hold(DeviceId id, Precondition precondition, String reason, String by, Optional<Instant> until) {
    Optional<Instant> end = until.map(time -> time.truncatedTo(ChronoUnit.MILLIS));
    return changeExisting(
        id,
        precondition,
        found -> {
          events.appendHeld(id.tenant(), List.of(id.name()), reason, by, end);
          return write(found, found.spec(), Optional.of(new Hold(reason, by, clock.now(), end)));
        });
  }

  /// Ends the hold of the device.
  public SaveResult releaseHold(DeviceId id) {
    return releaseHold(id, Precondition.present());
  }

  /// [#releaseHold(DeviceId)], if the device is as expected.
  public SaveResult releaseHold(DeviceId id, Precondition precondition) {
    return changeExisting(
        id,
        precondition,
        found -> {
          if (found.hold().isEmpty()) {
            return new SaveResult.Unchanged(found);
          }
          events.appendReleased(id.tenant(), List.of(id.name()));
          return write(found, found.spec(), Optional.empty());
        });
  }

  /// Counts a change of something that is shown with the device, such as a pin.
  public void recordChange(DeviceId id) {
    raiseVersion(id.tenant(), id.name(), clock.now());
  }

  /// Holds all of these devices, in place of earlier holds. Returns how many there are.
  ///
  /// @param names of devices, not empty
  public int holdAll(String tenant, Collection<String> names, String reason, String by, Optional<Instant> until) {
    Instant end = until.map(time -> time.truncatedTo(ChronoUnit.MILLIS)).orElse(null);
    events.appendHeld(tenant, names, reason, by, until);
    return setHolds(tenant, names, StoredText.sanitize(reason), by, clock.now(), end);
  }

  /// Ends the holds of these devices. Returns how many were held.
  ///
  /// @param names of devices, not empty
  public int releaseHolds(String tenant, Collection<String> names) {
    events.appendReleased(tenant, names);
    return endHolds(tenant, names, clock.now());
  }

  private interface Change {
    SaveResult apply(DeviceRow found);
  }

  private SaveResult changeExisting(DeviceId id, Precondition precondition, Change change) {
    Optional<DeviceRow> found = lock(id);
    if (found.isEmpty()) {
      return new SaveResult.NotFound();
    }
    return precondition.isMetBy(found) ? change.apply(found.get()) : new SaveResult.PreconditionFailed(found);
  }

  private SaveResult create(DeviceSpec spec) {
    Map<HostId, DeviceId> taken = deviceHosts.findOnOtherDevices(spec);
    if (!taken.isEmpty()) {
      return new SaveResult.HostsTaken(taken);
    }
    var row = DeviceRow.of(spec, Optional.empty(), 1, clock.now(), clock.now());
    if (insertIfAbsent(row) == 0) {
      throw new ConcurrentModification("device " + spec.id());
    }
    insertHostsAndLabels(spec);
    return new SaveResult.Created(row);
  }

  private SaveResult change(DeviceRow found, DeviceSpec spec) {
    if (spec.equals(found.spec())) {
      return new SaveResult.Unchanged(found);
    }
    Map<HostId, DeviceId> taken = deviceHosts.findOnOtherDevices(spec);
    if (!taken.isEmpty()) {
      return new SaveResult.HostsTaken(taken);
    }
    if (!spec.hosts().containsAll(found.hosts())) {
      Optional<String> running = upgrades.findRunning(spec.id().tenant(), spec.id().name());
      if (running.isPresent()) {
        return new SaveResult.Busy(running.get());
      }
    }
    return write(found, spec, found.hold());
  }

  /// Writes the row, and hosts and labels where they have changed.
  private SaveResult write(DeviceRow found, DeviceSpec spec, Optional<Hold> hold) {
    var row = DeviceRow.of(spec, hold, found.version() + 1, found.createdAt(), clock.now());
    update(row);
    if (!spec.equals(found.spec())) {
      detach(spec.id());
      insertHostsAndLabels(spec);
      deviceHosts.deleteUnreported(found.spec());
    }
    return new SaveResult.Updated(row);
  }

  /// Removes the device; its upgrades stay in the records. Hosts that ever reported are then on no device, the others
  /// are removed with it.
  public RemoveResult remove(DeviceId id, Precondition precondition) {
    Optional<DeviceRow> found = lock(id);
    if (found.isEmpty()) {
      return new RemoveResult.NotFound();
    }
    if (!precondition.isMetBy(found)) {
      return new RemoveResult.PreconditionFailed(found.get());
    }
    Optional<String> running = upgrades.findRunning(id.tenant(), id.name());
    if (running.isPresent()) {
      return new RemoveResult.Busy(running.get());
    }
    detach(id);
    deviceHosts.deleteUnreported(found.get().spec());
    deleteRow(id.tenant(), id.name());
    return new RemoveResult.Removed(found.get());
  }

  public Optional<DeviceRow> find(DeviceId id) {
    return findByTenantAndName(id.tenant(), id.name());
  }

  /// Those of them that exist, by name.
  public Map<String, DeviceRow> findAll(String tenant, Collection<String> names) {
    Map<String, DeviceRow> found = new HashMap<>();
    // Each by its key: for a list H2 would read all devices of the tenant.
    for (String name : Set.copyOf(names)) {
      find(new DeviceId(tenant, name)).ifPresent(row -> found.put(name, row));
    }
    return found;
  }

  /// The device that a host is on.
  public Optional<DeviceRow> findByHost(String tenant, HostId host) {
    return findOfHost(tenant, host.value());
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
    String packageName = filter.runningVersion().map(RunningVersion::packageName).orElse("");
    String version =
        filter.runningVersion().filter(wanted -> !wanted.isUnknown()).map(RunningVersion::version).orElse("");
    int limit = page.limit() + 1;
    List<DeviceRow> found;
    if (filter.labels().isEmpty()) {
      found = listAll(tenant, after, packageName, version, limit);
    } else {
      var labels = new TreeMap<>(filter.labels());
      List<String> all = labels.entrySet().stream().map(one -> one.getKey() + "=" + one.getValue()).toList();
      found =
          listLabelled(
              tenant,
              labels.firstEntry().getKey(),
              labels.firstEntry().getValue(),
              all,
              all.size(),
              after,
              packageName,
              version,
              limit);
    }
    return Cursor.toPage(found, page, device -> Cursor.encode(device.id().name()));
  }

  private void insertHostsAndLabels(DeviceSpec spec) {
    DeviceId id = spec.id();
    deviceHosts.claim(spec);
    spec.labels().forEach((label, value) -> insertLabel(id.tenant(), id.name(), label, value));
  }

  private void detach(DeviceId id) {
    deleteLabels(id.tenant(), id.name());
    deviceHosts.detachAll(id.tenant(), id.name());
  }

  /// Returns the row, locked until the end of the transaction: no hosts come or leave meanwhile.
  public Optional<DeviceRow> lock(DeviceId id) {
    return lock(id.tenant(), id.name());
  }

  /// Of the candidates of a rollout, from one position of its queue to another. A join and no list of names: for a list
  /// H2 would read all devices of the tenant. The limit has PostgreSQL begin with the queue whatever it believes of the
  /// tables.
  @Query(
      CANDIDATES
          + "'pending'"
          + CANDIDATES_END
          + "UNION ALL "
          + CANDIDATES
          + "'started' AND prepare_ahead"
          + CANDIDATES_END)
  public abstract List<DeviceRow> listCandidates(
      String tenant, String rollout, int after, long afterPosition, int last, long lastPosition, int limit);

  @Query("SELECT * FROM device" + KEY + " FOR UPDATE")
  abstract Optional<DeviceRow> lock(String tenant, String device);

  abstract Optional<DeviceRow> findByTenantAndName(String tenant, String name);

  @Query(
      """
      SELECT device.* FROM host
      JOIN device ON device.tenant = host.tenant AND device.name = host.device
      WHERE host.tenant = :tenant AND host.name = :host\
      """)
  abstract Optional<DeviceRow> findOfHost(String tenant, String host);

  @Query(
      "SELECT device.* FROM device WHERE tenant = :tenant AND name > :after"
          + RUNNING_VERSION
          + "ORDER BY tenant, name LIMIT :limit")
  abstract List<DeviceRow> listAll(String tenant, String after, String packageName, String running, int limit);

  /// Begins at a label, so that few devices among many are found at once.
  @Query(
      """
      SELECT device.* FROM device_label first
      JOIN device ON device.tenant = first.tenant AND device.name = first.device
      WHERE first.tenant = :tenant AND first.label = :label AND first.label_value = :value
        AND first.device > :after
        AND (:count = 1 OR :count = (SELECT COUNT(*) FROM device_label l
          WHERE l.tenant = first.tenant AND l.device = first.device
            AND l.label || '=' || l.label_value IN (:pairs)))
      """
          + RUNNING_VERSION
          + "ORDER BY first.tenant, first.label, first.label_value, first.device LIMIT :limit")
  abstract List<DeviceRow> listLabelled(
      String tenant,
      String label,
      String value,
      List<String> pairs,
      int count,
      String after,
      String packageName,
      String running,
      int limit);

  @Query(
      """
      INSERT INTO device (tenant, name, hosts, labels, zone, windows, version, created_at, changed_at)
      VALUES (:tenant, :name, :hosts, :labels, :zone, :windows, :version, :createdAt, :changedAt)
      ON CONFLICT DO NOTHING\
      """)
  abstract int insertIfAbsent(DeviceRow row);

  abstract void update(DeviceRow row);

  @Query("UPDATE device SET version = version + 1, changed_at = :now" + KEY)
  abstract int raiseVersion(String tenant, String device, Instant now);

  @Query(
      """
      UPDATE device SET hold_reason = :reason, hold_by = :by, hold_since = :now, hold_until = :until,
        version = version + 1, changed_at = :now WHERE tenant = :tenant AND name IN (:names)\
      """)
  abstract int setHolds(
      String tenant, Collection<String> names, String reason, String by, Instant now, @Nullable Instant until);

  @Query(
      """
      UPDATE device SET hold_reason = NULL, hold_by = NULL, hold_since = NULL, hold_until = NULL,
        version = version + 1, changed_at = :now
      WHERE tenant = :tenant AND name IN (:names) AND hold_reason IS NOT NULL\
      """)
  abstract int endHolds(String tenant, Collection<String> names, Instant now);

  @Query("DELETE FROM device" + KEY)
  abstract int deleteRow(String tenant, String device);

  @Query(
      """
      INSERT INTO device_label (tenant, device, label, label_value)
      VALUES (:tenant, :device, :label, :value)\
      """)
  abstract int insertLabel(String tenant, String device, String label, String value);

  @Query("DELETE FROM device_label WHERE tenant = :tenant AND device = :device")
  abstract int deleteLabels(String tenant, String device);
}
