package dev.uplift.store.event;

import dev.uplift.fleet.DeviceId;
import dev.uplift.fleet.Release;
import dev.uplift.fleet.RolloutId;
import dev.uplift.fleet.barrier.BarrierId;
import dev.uplift.store.StoreClock;
import dev.uplift.store.Transacted;
import dev.uplift.store.batch.BatchStatement;
import io.micronaut.data.annotation.Query;
import io.micronaut.data.jdbc.annotation.JdbcRepository;
import io.micronaut.data.jdbc.runtime.JdbcOperations;
import io.micronaut.data.model.query.builder.sql.Dialect;
import io.micronaut.data.repository.GenericRepository;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/// The table `tenant_event`. Append in the transaction of what happened.
///
/// Transactions commit in another order than they take their ids, so a reader that followed the ids would miss events.
/// Numbers are given by [#numberNew] to rows that are committed, by one transaction at a time: below a number that a
/// reader has seen none is added. What was committed before another event began has a lower number than it.
@JdbcRepository(dialect = Dialect.POSTGRES)
@Transacted
public abstract class TenantEventRepository implements GenericRepository<TenantEventRow, Long> {
  /// How many are numbered, or removed, in one transaction.
  private static final int BATCH = 1000;

  private record NumberedEvent(String tenant, long id, long number) {}

  private static final BatchStatement<NumberedEvent> SET_NUMBER =
      new BatchStatement<>(
          "UPDATE tenant_event SET number = ? WHERE tenant = ? AND id = ?",
          (statement, event) -> {
            statement.setLong(1, event.number());
            statement.setString(2, event.tenant());
            statement.setLong(3, event.id());
          });

  private final StoreClock clock;
  private final JdbcOperations jdbc;

  protected TenantEventRepository(StoreClock clock, JdbcOperations jdbc) {
    this.clock = clock;
    this.jdbc = jdbc;
  }

  /// Appends that an upgrade has begun.
  ///
  /// @param id of the upgrade; that of a rollout begins with the rollout and a dot
  public void appendUpgradeStarted(DeviceId device, String id, Release release, String by) {
    insert(
        device.tenant(),
        clock.now(),
        TenantEventKind.UPGRADE_STARTED.toString(),
        rolloutOf(id),
        Optional.of(id),
        Optional.of(device.name()),
        Optional.of(release.packageName()),
        Optional.of(release.version()),
        Optional.empty(),
        0,
        Optional.empty(),
        Optional.of(by),
        Optional.empty());
  }

  /// Appends that an upgrade has ended, as its row says.
  public void appendUpgradeEnded(String tenant, String id) {
    insertEnd(tenant, id, rolloutOf(id), clock.now());
  }

  private static Optional<String> rolloutOf(String upgrade) {
    int dot = upgrade.indexOf('.');
    return dot > 0 ? Optional.of(upgrade.substring(0, dot)) : Optional.empty();
  }

  /// Appends that a wave of a rollout has begun.
  ///
  /// @param wave its number; with the first, the rollout has begun
  public void appendWaveStarted(RolloutId id, Release release, int wave) {
    TenantEventKind kind = wave == 1 ? TenantEventKind.ROLLOUT_STARTED : TenantEventKind.ROLLOUT_WAVE_STARTED;
    append(id, release, kind, Optional.empty(), wave, "", Optional.empty());
  }

  /// Appends something else about a rollout.
  ///
  /// @param result its outcome or state
  /// @param message for people; may be empty
  /// @param until when it ends by itself
  public void append(
      RolloutId id, Release release, TenantEventKind kind, String result, String message, Optional<Instant> until) {
    append(id, release, kind, Optional.of(result), 0, message, until);
  }

  private void append(
      RolloutId id,
      Release release,
      TenantEventKind kind,
      Optional<String> result,
      int wave,
      String message,
      Optional<Instant> until) {
    insert(
        id.tenant(),
        clock.now(),
        kind.toString(),
        Optional.of(id.name()),
        Optional.empty(),
        Optional.empty(),
        Optional.of(release.packageName()),
        Optional.of(release.version()),
        result,
        wave,
        Optional.of(message).filter(text -> !text.isEmpty()),
        Optional.empty(),
        until);
  }

  /// Appends that devices are held.
  ///
  /// @param devices their names, not empty
  /// @param until when the hold ends by itself
  public void appendHeld(String tenant, Collection<String> devices, String reason, String by, Optional<Instant> until) {
    insertForDevices(
        tenant,
        devices,
        clock.now(),
        TenantEventKind.DEVICE_HELD.toString(),
        Optional.of(reason),
        Optional.of(by),
        until);
  }

  /// Appends that the holds of these devices are ended; to be called before that, for those that are held.
  ///
  /// @param devices their names, not empty
  public void appendReleased(String tenant, Collection<String> devices) {
    insertForHeldDevices(tenant, devices, clock.now(), TenantEventKind.DEVICE_RELEASED.toString());
  }

  /// Appends something about a barrier.
  ///
  /// @param result its outcome; empty before it has ended
  /// @param message for people; may be empty
  /// @param by the actor; empty: the barrier itself
  /// @param until when it ends by itself
  public void append(
      BarrierId id,
      String packageName,
      TenantEventKind kind,
      Optional<String> result,
      String message,
      Optional<String> by,
      Optional<Instant> until) {
    insertOfBarrier(
        id.tenant(),
        clock.now(),
        kind.toString(),
        id.name(),
        packageName,
        result,
        Optional.of(message).filter(text -> !text.isEmpty()),
        by,
        until);
  }

  /// Appends that a release was published.
  public void appendPublished(String tenant, Release release) {
    insert(
        tenant,
        clock.now(),
        TenantEventKind.RELEASE_PUBLISHED.toString(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.of(release.packageName()),
        Optional.of(release.version()),
        Optional.empty(),
        0,
        Optional.empty(),
        Optional.empty(),
        Optional.empty());
  }

  /// Appends that a rollout has waited for a person for longer than a webhook says. Nothing if it waits no longer.
  ///
  /// @param since when the wait began
  public void appendWaitEscalated(RolloutId id, String webhook, Instant since) {
    insertRolloutWaitEscalated(id.tenant(), id.name(), webhook, since, clock.now());
  }

  /// Appends that an upgrade has waited for a person, or for a host that is off, for longer than a webhook says.
  /// Nothing if it waits no longer.
  ///
  /// @param since when the wait began
  public void appendUpgradeWaitEscalated(String tenant, String id, String webhook, Instant since) {
    insertUpgradeWaitEscalated(tenant, id, rolloutOf(id), webhook, since, clock.now());
  }

  /// Appends that a barrier has waited for a person for longer than a webhook says. Nothing if it waits no longer.
  ///
  /// @param since when its hosts had halted
  public void appendWaitEscalated(BarrierId id, String webhook, Instant since) {
    insertBarrierWaitEscalated(id.tenant(), id.name(), webhook, since, clock.now());
  }

  /// Gives numbers to events that are committed and have none. Cheap if there are none. Returns how many it were: if as
  /// many as [#isFullBatch] says, there may be more.
  public int numberNew(String tenant) {
    if (listUnnumbered(tenant, 1).isEmpty()) {
      return 0;
    }
    insertCounterIfAbsent(tenant);
    long last = lockCounter(tenant).orElseThrow();
    // Read under the lock: another server may have numbered them meanwhile.
    List<Long> ids = listUnnumbered(tenant, BATCH);
    if (!ids.isEmpty()) {
      setNumbers(tenant, ids, last);
      setLastNumber(tenant, last + ids.size());
    }
    return ids.size();
  }

  /// Returns whether [#numberNew] may have left some.
  public static boolean isFullBatch(int numbered) {
    return numbered >= BATCH;
  }

  private void setNumbers(String tenant, List<Long> ids, long last) {
    List<NumberedEvent> events =
        IntStream.range(0, ids.size()).mapToObj(i -> new NumberedEvent(tenant, ids.get(i), last + 1 + i)).toList();
    int[] _ = SET_NUMBER.execute(jdbc, events);
  }

  /// Returns the number that was given last; 0 if none was.
  public long lastNumber(String tenant) {
    return findLastNumber(tenant).orElse(0L);
  }

  /// The events after the one with this number, in their order.
  ///
  /// @param number 0 for all that are kept
  @Query(
      """
      SELECT * FROM tenant_event WHERE tenant = :tenant AND number > :number
      ORDER BY tenant, number LIMIT :limit\
      """)
  public abstract List<TenantEventRow> listAfter(String tenant, long number, int limit);

  /// Removes events that happened before a time, of all tenants. Returns how many; as long as there are more, it is to
  /// be called again.
  public int deleteOld(Instant before) {
    return deleteBatch(before, BATCH);
  }

  @Query("SELECT last_number FROM tenant_event_counter WHERE tenant = :tenant")
  abstract Optional<Long> findLastNumber(String tenant);

  @Query("SELECT last_number FROM tenant_event_counter WHERE tenant = :tenant FOR UPDATE")
  abstract Optional<Long> lockCounter(String tenant);

  @Query("INSERT INTO tenant_event_counter (tenant, last_number) VALUES (:tenant, 0) ON CONFLICT DO NOTHING")
  abstract int insertCounterIfAbsent(String tenant);

  @Query("UPDATE tenant_event_counter SET last_number = :number WHERE tenant = :tenant")
  abstract int setLastNumber(String tenant, long number);

  @Query(
      """
      SELECT id FROM tenant_event WHERE tenant = :tenant AND number IS NULL ORDER BY tenant, number, id LIMIT :limit\
      """)
  abstract List<Long> listUnnumbered(String tenant, int limit);

  @Query(
      """
      DELETE FROM tenant_event WHERE (tenant, id) IN
        (SELECT tenant, id FROM tenant_event WHERE occurred_at < :before ORDER BY occurred_at LIMIT :limit)\
      """)
  abstract int deleteBatch(Instant before, int limit);

  @Query(
      """
      INSERT INTO tenant_event (tenant, occurred_at, kind, rollout, upgrade, device, package, version, result, wave,
        message, actor, until_at)
      VALUES (:tenant, :now, :kind, :rollout, :upgrade, :device, :packageName, :version, :result, :wave, :message,
        :actor, :untilAt)\
      """)
  abstract int insert(
      String tenant,
      Instant now,
      String kind,
      Optional<String> rollout,
      Optional<String> upgrade,
      Optional<String> device,
      Optional<String> packageName,
      Optional<String> version,
      Optional<String> result,
      int wave,
      Optional<String> message,
      Optional<String> actor,
      Optional<Instant> untilAt);

  @Query(
      """
      INSERT INTO tenant_event (tenant, occurred_at, kind, barrier, package, result, message, actor, until_at)
      VALUES (:tenant, :now, :kind, :barrier, :packageName, :result, :message, :actor, :untilAt)\
      """)
  abstract int insertOfBarrier(
      String tenant,
      Instant now,
      String kind,
      String barrier,
      String packageName,
      Optional<String> result,
      Optional<String> message,
      Optional<String> actor,
      Optional<Instant> untilAt);

  @Query(
      """
      INSERT INTO tenant_event (tenant, occurred_at, kind, rollout, upgrade, device, package, version, result, message)
      SELECT tenant, CAST(:now AS TIMESTAMP(3) WITH TIME ZONE), 'upgrade.ended', CAST(:rollout AS VARCHAR), id, device,
        package, version, outcome, reason_text
      FROM upgrade WHERE tenant = :tenant AND id = :id\
      """)
  abstract int insertEnd(String tenant, String id, Optional<String> rollout, Instant now);

  @Query(
      """
      INSERT INTO tenant_event (tenant, occurred_at, kind, device, message, actor, until_at)
      SELECT tenant, CAST(:now AS TIMESTAMP(3) WITH TIME ZONE), CAST(:kind AS VARCHAR), name,
        CAST(:message AS VARCHAR), CAST(:actor AS VARCHAR), CAST(:untilAt AS TIMESTAMP(3) WITH TIME ZONE)
      FROM device WHERE tenant = :tenant AND name IN (:names)\
      """)
  abstract int insertForDevices(
      String tenant,
      Collection<String> names,
      Instant now,
      String kind,
      Optional<String> message,
      Optional<String> actor,
      Optional<Instant> untilAt);

  @Query(
      """
      INSERT INTO tenant_event (tenant, occurred_at, kind, device)
      SELECT tenant, CAST(:now AS TIMESTAMP(3) WITH TIME ZONE), CAST(:kind AS VARCHAR), name
      FROM device WHERE tenant = :tenant AND name IN (:names) AND hold_reason IS NOT NULL\
      """)
  abstract int insertForHeldDevices(String tenant, Collection<String> names, Instant now, String kind);

  @Query(
      """
      INSERT INTO tenant_event (tenant, occurred_at, kind, rollout, package, version, result, message, webhook)
      SELECT tenant, CAST(:now AS TIMESTAMP(3) WITH TIME ZONE), 'rollout.wait-escalated', id, package, version, state,
        wait_message, CAST(:webhook AS VARCHAR)
      FROM rollout WHERE tenant = :tenant AND id = :rollout AND wait_since = :since\
      """)
  abstract int insertRolloutWaitEscalated(String tenant, String rollout, String webhook, Instant since, Instant now);

  @Query(
      """
      INSERT INTO tenant_event (tenant, occurred_at, kind, barrier, package, result, until_at, webhook)
      SELECT tenant, CAST(:now AS TIMESTAMP(3) WITH TIME ZONE), 'barrier.wait-escalated', name, package, state, until_at,
        CAST(:webhook AS VARCHAR)
      FROM barrier WHERE tenant = :tenant AND name = :barrier AND halted_at = :since AND state = 'halted'\
      """)
  abstract int insertBarrierWaitEscalated(String tenant, String barrier, String webhook, Instant since, Instant now);

  @Query(
      """
      INSERT INTO tenant_event (tenant, occurred_at, kind, rollout, upgrade, device, package, version, result, message,
        until_at, webhook)
      SELECT u.tenant, CAST(:now AS TIMESTAMP(3) WITH TIME ZONE), 'upgrade.wait-escalated', CAST(:rollout AS VARCHAR),
        u.id, u.device, u.package, u.version, w.reason, w.message, w.until_at, CAST(:webhook AS VARCHAR)
      FROM upgrade_wait w JOIN upgrade u ON u.tenant = w.tenant AND u.id = w.upgrade AND u.state = 'running'
      WHERE w.tenant = :tenant AND w.upgrade = :id AND w.since = :since\
      """)
  abstract int insertUpgradeWaitEscalated(
      String tenant, String id, Optional<String> rollout, String webhook, Instant since, Instant now);
}
