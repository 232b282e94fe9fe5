package dev.uplift.store.pin;

import dev.uplift.fleet.DeviceId;
import dev.uplift.store.ConcurrentModification;
import dev.uplift.store.Cursor;
import dev.uplift.store.Page;
import dev.uplift.store.PageRequest;
import dev.uplift.store.StoreClock;
import dev.uplift.store.StoredText;
import dev.uplift.store.Transacted;
import io.micronaut.data.annotation.Query;
import io.micronaut.data.jdbc.annotation.JdbcRepository;
import io.micronaut.data.model.query.builder.sql.Dialect;
import io.micronaut.data.repository.GenericRepository;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The table `pin`: which packages stay at a version on which device. What the owner of a host holds,
/// [HostHoldRepository], and what open barriers have halted, [dev.uplift.store.barrier.BarrierRepository], is read here
/// as a pin of the device. Pins whose time is over are read as well.
@JdbcRepository(dialect = Dialect.POSTGRES)
@Transacted
public abstract class PinRepository implements GenericRepository<PinRow, String> {
  private static final String KEY = " WHERE tenant = :tenant AND device = :device AND package = :packageName";

  /// Candidates of a rollout, a state at a time as in [dev.uplift.store.device.DeviceRepository#listCandidates]: for a
  /// list of states H2 would read no index.
  private static final String CANDIDATES =
      """
       FROM (SELECT tenant, device FROM rollout_target
        WHERE tenant = :tenant AND rollout = :rollout AND wave >= :after AND (wave > :after OR position > :afterPosition)
        AND wave <= :last AND (wave < :last OR position <= :lastPosition) AND offline_since IS NULL AND state =
      """;

  private static final String CANDIDATES_END =
      """
       ORDER BY tenant, rollout, state, wave, position LIMIT :limit) t
      """;

  private static final String PENDING = CANDIDATES + "'pending'" + CANDIDATES_END;
  private static final String PREPARED = CANDIDATES + "'started' AND prepare_ahead" + CANDIDATES_END;

  private static final String PIN_COLUMNS =
      """
      SELECT pin.tenant, pin.device, pin.package, pin.version, pin.reason, pin.set_by, 'operator' AS origin,
        '' AS host, pin.since, pin.until, pin.revision\
      """;

  private static final String JOIN_PINS =
      "JOIN pin ON pin.tenant = t.tenant AND pin.device = t.device AND pin.package = :packageName";

  private static final String HOLD_COLUMNS =
      """
      SELECT host.tenant, host.device, held.package, CAST(NULL AS VARCHAR) AS version, held.reason,
        held.held_by AS set_by, 'host' AS origin, host.name AS host, held.since, held.until,
        CAST(0 AS BIGINT) AS revision\
      """;

  private static final String JOIN_HOLDS =
      """
      JOIN host ON host.tenant = t.tenant AND host.device = t.device
      JOIN host_hold held ON held.tenant = host.tenant AND held.host = host.name AND held.package = :packageName\
      """;

  private static final String OF_OPERATORS = "(" + PIN_COLUMNS + " FROM pin WHERE pin.tenant = :tenant";

  private static final String OF_OWNERS =
      "("
          + HOLD_COLUMNS
          + """
           FROM host JOIN host_hold held ON held.tenant = host.tenant AND held.host = host.name
          WHERE host.tenant = :tenant AND host.device IS NOT NULL\
          """;

  private static final String BARRIER_COLUMNS =
      """
      SELECT halted.tenant, halted.device, halted.package, CAST(NULL AS VARCHAR) AS version, halted.reason,
        'barrier ' || halted.barrier AS set_by, 'barrier' AS origin, '' AS host, halted.since, halted.until,
        CAST(0 AS BIGINT) AS revision\
      """;

  private static final String JOIN_BARRIERS =
      """
      JOIN barrier_device halted ON halted.tenant = t.tenant AND halted.device = t.device
        AND halted.package = :packageName\
      """;

  private static final String OF_BARRIERS =
      "(" + BARRIER_COLUMNS + " FROM barrier_device halted WHERE halted.tenant = :tenant";

  private static final String ORDER = " ORDER BY device, package, origin, host";

  private final StoreClock clock;

  protected PinRepository(StoreClock clock) {
    this.clock = clock;
  }

  /// Sets the pin of an operator, in place of an earlier one. Changes nothing if it is so already, by any author. The
  /// device has to exist: lock it before.
  ///
  /// @param version the only one that may be installed; empty: none may
  public PinRow set(
      DeviceId device,
      String packageName,
      Optional<String> version,
      String reason,
      String by,
      Optional<Instant> until) {
    Optional<Instant> end = until.map(time -> time.truncatedTo(ChronoUnit.MILLIS));
    String text = StoredText.sanitize(reason);
    Optional<PinRow> found = lock(device.tenant(), device.name(), packageName);
    boolean isSo =
        found
            .filter(row -> row.version().equals(version) && row.reason().equals(text) && row.until().equals(end))
            .isPresent();
    if (isSo) {
      return found.orElseThrow();
    }
    String wanted = version.orElse(null);
    Instant last = end.orElse(null);
    int written =
        found.isPresent()
            ? update(device.tenant(), device.name(), packageName, wanted, text, by, clock.now(), last)
            : insertIfAbsent(device.tenant(), device.name(), packageName, wanted, text, by, clock.now(), last);
    if (written == 0) {
      throw new ConcurrentModification("pin of " + packageName + " on " + device);
    }
    return find(device, packageName).orElseThrow();
  }

  /// Removes the pin of an operator. Returns whether there was one.
  public boolean remove(DeviceId device, String packageName) {
    return deleteRow(device.tenant(), device.name(), packageName) > 0;
  }

  /// Returns the pin of an operator, locked until the end of the transaction.
  public Optional<PinRow> find(DeviceId device, String packageName) {
    return lock(device.tenant(), device.name(), packageName);
  }

  /// Returns all pins of a device, by package; what barriers and owners hold before those of operators.
  public List<PinRow> find(DeviceId device) {
    return listOfDevice(device.tenant(), device.name());
  }

  /// Returns all pins of a tenant, by device and package.
  public Page<PinRow> findAll(String tenant, PageRequest page) {
    Optional<Cursor> cursor = Cursor.of(page, 4);
    return Cursor.toPage(
        listAfter(tenant, part(cursor, 0), part(cursor, 1), part(cursor, 2), part(cursor, 3), page.limit() + 1),
        page,
        row -> Cursor.encode(row.device(), row.packageName(), row.origin().toString(), row.host()));
  }

  private static String part(Optional<Cursor> cursor, int index) {
    return cursor.map(end -> end.part(index)).orElse("");
  }

  /// Returns all pins of a package in a tenant, by device.
  @Query(
      OF_OPERATORS
          + " AND package = :packageName) UNION ALL "
          + OF_OWNERS
          + " AND held.package = :packageName) UNION ALL "
          + OF_BARRIERS
          + " AND package = :packageName)"
          + ORDER)
  public abstract List<PinRow> listOfPackage(String tenant, String packageName);

  /// Returns all pins of the devices with names from `first` to `last`, as [#find(DeviceId)].
  @Query(
      OF_OPERATORS
          + " AND device >= :first AND device <= :last) UNION ALL "
          + OF_OWNERS
          + " AND host.device >= :first AND host.device <= :last) UNION ALL "
          + OF_BARRIERS
          + " AND device >= :first AND device <= :last)"
          + ORDER)
  public abstract List<PinRow> listOfDevices(String tenant, String first, String last);

  @Query(
      OF_OPERATORS
          + " AND device = :device) UNION ALL "
          + OF_OWNERS
          + " AND host.device = :device) UNION ALL "
          + OF_BARRIERS
          + " AND device = :device)"
          + ORDER)
  abstract List<PinRow> listOfDevice(String tenant, String device);

  @Query(
      OF_OPERATORS
          + """
           AND device >= :device AND (device, package, 'operator', '') > (:device, :packageName, :origin, :host)
          ORDER BY tenant, device, package LIMIT :limit
          ) UNION ALL
          """
          + OF_OWNERS
          + """
           AND host.device >= :device
            AND (host.device, held.package, 'host', host.name) > (:device, :packageName, :origin, :host)
          ORDER BY host.tenant, host.device, held.package, host.name LIMIT :limit
          ) UNION ALL
          """
          + OF_BARRIERS
          + """
           AND device >= :device AND (device, package, 'barrier', '') > (:device, :packageName, :origin, :host)
          ORDER BY tenant, device, package LIMIT :limit)\
          """
          + ORDER
          + " LIMIT :limit")
  abstract List<PinRow> listAfter(
      String tenant, String device, String packageName, String origin, String host, int limit);

  /// Returns the pins of a package on candidates of a rollout, from one position of its queue to another.
  ///
  /// @param limit so many candidates there are at most
  @Query(
      PIN_COLUMNS
          + PENDING
          + JOIN_PINS
          + " UNION ALL "
          + PIN_COLUMNS
          + PREPARED
          + JOIN_PINS
          + " UNION ALL "
          + HOLD_COLUMNS
          + PENDING
          + JOIN_HOLDS
          + " UNION ALL "
          + HOLD_COLUMNS
          + PREPARED
          + JOIN_HOLDS
          + " UNION ALL "
          + BARRIER_COLUMNS
          + PENDING
          + JOIN_BARRIERS
          + " UNION ALL "
          + BARRIER_COLUMNS
          + PREPARED
          + JOIN_BARRIERS)
  public abstract List<PinRow> listOfCandidates(
      String tenant,
      String rollout,
      String packageName,
      int after,
      long afterPosition,
      int last,
      long lastPosition,
      int limit);

  @Query("SELECT pin.*, 'operator' AS origin, '' AS host FROM pin" + KEY + " FOR UPDATE")
  abstract Optional<PinRow> lock(String tenant, String device, String packageName);

  @Query(
      """
      UPDATE pin SET version = :version, reason = :reason, set_by = :by, since = :now, until = :until,
        revision = revision + 1\
      """
          + KEY)
  abstract int update(
      String tenant,
      String device,
      String packageName,
      @Nullable String version,
      String reason,
      String by,
      Instant now,
      @Nullable Instant until);

  @Query(
      """
      INSERT INTO pin (tenant, device, package, version, reason, set_by, since, until, revision)
      VALUES (:tenant, :device, :packageName, :version, :reason, :by, :now, :until, 1)
      ON CONFLICT DO NOTHING\
      """)
  abstract int insertIfAbsent(
      String tenant,
      String device,
      String packageName,
      @Nullable String version,
      String reason,
      String by,
      Instant now,
      @Nullable Instant until);

  @Query("DELETE FROM pin" + KEY)
  abstract int deleteRow(String tenant, String device, String packageName);
}
