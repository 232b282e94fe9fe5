package dev.uplift.store.barrier;

import dev.uplift.fleet.barrier.BarrierCounts;
import dev.uplift.fleet.barrier.BarrierHostState;
import dev.uplift.fleet.barrier.BarrierId;
import dev.uplift.fleet.barrier.BarrierOutcome;
import dev.uplift.store.Cursor;
import dev.uplift.store.EnumCodec;
import dev.uplift.store.NoSuchTenant;
import dev.uplift.store.Page;
import dev.uplift.store.PageRequest;
import dev.uplift.store.RequiresTransaction;
import dev.uplift.store.StoreClock;
import dev.uplift.store.StoredText;
import dev.uplift.store.Transacted;
import dev.uplift.store.event.TenantEventKind;
import dev.uplift.store.event.TenantEventRepository;
import io.micronaut.data.annotation.Query;
import io.micronaut.data.jdbc.annotation.JdbcRepository;
import io.micronaut.data.model.query.builder.sql.Dialect;
import io.micronaut.data.repository.GenericRepository;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The tables `barrier` and `barrier_device`; those of hosts are [BarrierHostRepository]'s. A state only follows the
/// one before it: a repeated call writes nothing. The devices of a barrier are pinned until it has ended
/// ([dev.uplift.store.pin.PinRepository]).
@JdbcRepository(dialect = Dialect.POSTGRES)
@Transacted
public abstract class BarrierRepository implements GenericRepository<BarrierRow, String> {
  private static final String KEY = " WHERE tenant = :tenant AND name = :name";

  private final StoreClock clock;
  private final BarrierHostRepository hosts;
  private final TenantEventRepository events;

  protected BarrierRepository(StoreClock clock, BarrierHostRepository hosts, TenantEventRepository events) {
    this.clock = clock;
    this.hosts = hosts;
    this.events = events;
  }

  /// A device whose package another open barrier has.
  public record TakenDevice(String device, String barrier) {}

  /// The result of [#create].
  ///
  /// @param row the barrier; empty if devices are taken
  /// @param isNew whether this call recorded it; else there was one of that name
  /// @param taken devices because of which nothing was recorded
  public record CreateResult(Optional<BarrierRow> row, boolean isNew, List<TakenDevice> taken) {}

  /// Records a barrier, and holds its devices. Nothing is recorded if there is one of that name, which may ask for
  /// something else, or if another open barrier has the package on one of the devices. To be called within a
  /// transaction, which is to be rolled back if devices are taken.
  ///
  /// @throws NoSuchTenant if its tenant does not exist
  @RequiresTransaction
  public CreateResult create(NewBarrier barrier, String by) {
    BarrierId id = barrier.id();
    Instant now = clock.now();
    Instant until = barrier.untilAt().truncatedTo(ChronoUnit.MILLIS);
    int inserted =
        insertIfAbsent(
            id.tenant(),
            id.name(),
            barrier.packageName(),
            barrier.spec(),
            barrier.migratedBy().orElse(null),
            by,
            now,
            barrier.deadlineAt().truncatedTo(ChronoUnit.MILLIS),
            until);
    if (inserted == 0) {
      return new CreateResult(find(id), false, List.of());
    }
    String reason = StoredText.sanitize(barrier.reason());
    List<TakenDevice> taken =
        barrier.hosts().keySet().stream()
            .filter(device ->
                insertDeviceIfAbsent(id.tenant(), device, barrier.packageName(), id.name(), reason, now, until) == 0)
            .map(device -> new TakenDevice(device, barrierOf(id.tenant(), device, barrier.packageName()).orElse("")))
            .toList();
    if (!taken.isEmpty()) {
      return new CreateResult(Optional.empty(), false, taken);
    }
    barrier
        .hosts()
        .forEach((device, all) -> all.forEach(host -> hosts.insert(id.tenant(), id.name(), host, device, now)));
    events.append(
        id,
        barrier.packageName(),
        TenantEventKind.BARRIER_STARTED,
        Optional.empty(),
        "",
        Optional.of(by),
        Optional.of(barrier.deadlineAt()));
    return new CreateResult(find(id), true, List.of());
  }

  public Optional<BarrierRow> find(BarrierId id) {
    return findByTenantAndName(id.tenant(), id.name());
  }

  /// Locks the row until the end of the transaction.
  @RequiresTransaction
  public Optional<BarrierRow> lock(BarrierId id) {
    return lock(id.tenant(), id.name());
  }

  /// Newest first.
  ///
  /// @param state the word of one; empty: in any
  public Page<BarrierRow> list(String tenant, String state, PageRequest page) {
    Optional<Cursor> cursor = Cursor.of(page, 2);
    return Cursor.toPage(
        listBefore(
            tenant,
            state,
            cursor.map(end -> end.instant(0)).orElse(StoreClock.END_OF_TIME),
            cursor.map(end -> end.part(1)).orElse(""),
            page.limit() + 1),
        page,
        row -> Cursor.encode(Long.toString(row.createdAt().toEpochMilli()), row.name()));
  }

  /// Returns all barriers that have not ended, of all tenants.
  @Query("SELECT * FROM barrier WHERE state IN ('halting', 'halted', 'resuming') ORDER BY tenant, name")
  public abstract List<BarrierRow> findOpen();

  /// Records that the migration may begin. Writes nothing if the barrier was aborted.
  public BarrierRow recordHalted(BarrierId id, BarrierCounts counts) {
    BarrierRow row = find(id).orElseThrow();
    if (setHalted(id.tenant(), id.name(), clock.now()) > 0) {
      events.append(
          id,
          row.packageName(),
          TenantEventKind.BARRIER_HALTED,
          Optional.empty(),
          counts.describe(),
          Optional.empty(),
          Optional.of(row.untilAt()));
    }
    return find(id).orElseThrow();
  }

  /// Records who says that the migration is done.
  public void recordContinue(BarrierId id, String by) {
    setContinued(id.tenant(), id.name(), StoredText.sanitize(by));
  }

  /// Records who wants everybody to resume now.
  public void recordAbort(BarrierId id, String by, String reason) {
    setAborted(id.tenant(), id.name(), StoredText.sanitize(by), StoredText.sanitize(reason));
  }

  /// Records that its hosts are told to resume, and how it will have ended.
  public BarrierRow recordResuming(BarrierId id, BarrierOutcome outcome, String message) {
    BarrierRow row = find(id).orElseThrow();
    if (setResuming(id.tenant(), id.name(), EnumCodec.encode(outcome), StoredText.sanitize(message)) > 0) {
      events.append(
          id,
          row.packageName(),
          TenantEventKind.BARRIER_RESUMED,
          Optional.of(outcome.toString()),
          message,
          row.abortedBy().or(row::continuedBy),
          Optional.empty());
    }
    return find(id).orElseThrow();
  }

  /// Lets go of its devices: their package may be installed again.
  public void releaseDevices(BarrierId id) {
    deleteDevices(id.tenant(), id.name());
  }

  /// Records that it has ended, with the outcome that was recorded before, and lets go of its devices.
  ///
  /// @param rollout that follows it
  public BarrierRow recordEnd(BarrierId id, Optional<String> rollout) {
    releaseDevices(id);
    if (setEnded(id.tenant(), id.name(), rollout, clock.now()) > 0) {
      BarrierRow row = find(id).orElseThrow();
      events.append(
          id,
          row.packageName(),
          TenantEventKind.BARRIER_ENDED,
          row.outcome().map(BarrierOutcome::toString),
          row.message().orElse(""),
          Optional.empty(),
          Optional.empty());
    }
    return find(id).orElseThrow();
  }

  /// Returns how many hosts are in which state.
  public BarrierCounts count(BarrierId id) {
    return new BarrierCounts(
        count(id, BarrierHostState.PENDING),
        count(id, BarrierHostState.HALTED),
        count(id, BarrierHostState.MISSING),
        count(id, BarrierHostState.RESUMED));
  }

  private int count(BarrierId id, BarrierHostState state) {
    return hosts.countInState(id.tenant(), id.name(), EnumCodec.encode(state));
  }

  /// Returns the hosts of the devices of a barrier on which an upgrade is in work.
  @Query(
      """
      SELECT b.host FROM barrier_host b
      JOIN upgrade u ON u.tenant = b.tenant AND u.device = b.device AND u.state = 'running'
      WHERE b.tenant = :tenant AND b.barrier = :name\
      """)
  public abstract List<String> listHostsInWork(String tenant, String name);

  abstract Optional<BarrierRow> findByTenantAndName(String tenant, String name);

  @Query("SELECT * FROM barrier" + KEY + " FOR UPDATE")
  abstract Optional<BarrierRow> lock(String tenant, String name);

  @Query(
      """
      SELECT * FROM barrier WHERE tenant = :tenant AND (:state = '' OR state = :state)
        AND created_at <= :before AND (created_at < :before OR name < :name)
      ORDER BY tenant, created_at DESC, name DESC LIMIT :limit\
      """)
  abstract List<BarrierRow> listBefore(String tenant, String state, Instant before, String name, int limit);

  @Query(
      """
      INSERT INTO barrier (tenant, name, package, spec, migrated_by, state, created_by, created_at, deadline_at,
        until_at)
      VALUES (:tenant, :name, :packageName, :spec, :migratedBy, 'halting', :by, :now, :deadlineAt, :untilAt)
      ON CONFLICT DO NOTHING\
      """)
  abstract int insertIfAbsent(
      String tenant,
      String name,
      String packageName,
      String spec,
      @Nullable String migratedBy,
      String by,
      Instant now,
      Instant deadlineAt,
      Instant untilAt);

  @Query(
      """
      INSERT INTO barrier_device (tenant, device, package, barrier, reason, since, until)
      VALUES (:tenant, :device, :packageName, :barrier, :reason, :now, :until)
      ON CONFLICT DO NOTHING\
      """)
  abstract int insertDeviceIfAbsent(
      String tenant, String device, String packageName, String barrier, String reason, Instant now, Instant until);

  @Query("SELECT barrier FROM barrier_device WHERE tenant = :tenant AND device = :device AND package = :packageName")
  abstract Optional<String> barrierOf(String tenant, String device, String packageName);

  @Query(
      "UPDATE barrier SET state = 'halted', halted_at = :now" + KEY + " AND state = 'halting' AND aborted_by IS NULL")
  abstract int setHalted(String tenant, String name, Instant now);

  @Query("UPDATE barrier SET continued_by = :by" + KEY + " AND state = 'halted' AND continued_by IS NULL")
  abstract int setContinued(String tenant, String name, String by);

  @Query(
      """
      UPDATE barrier SET aborted_by = :by, abort_reason = :reason\
      """
          + KEY
          + " AND state IN ('halting', 'halted') AND aborted_by IS NULL")
  abstract int setAborted(String tenant, String name, String by, String reason);

  @Query(
      "UPDATE barrier SET state = 'resuming', outcome = :outcome, message = :message"
          + KEY
          + " AND state IN ('halting', 'halted')")
  abstract int setResuming(String tenant, String name, String outcome, String message);

  @Query("UPDATE barrier SET state = 'ended', rollout = :rollout, ended_at = :now" + KEY + " AND state = 'resuming'")
  abstract int setEnded(String tenant, String name, Optional<String> rollout, Instant now);

  @Query("DELETE FROM barrier_device WHERE tenant = :tenant AND barrier = :name")
  abstract int deleteDevices(String tenant, String name);
}
