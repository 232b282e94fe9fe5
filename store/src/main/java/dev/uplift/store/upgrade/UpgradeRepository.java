package dev.uplift.store.upgrade;

import dev.uplift.fleet.Outcome;
import dev.uplift.store.Cursor;
import dev.uplift.store.EnumCodec;
import dev.uplift.store.NoSuchTenant;
import dev.uplift.store.Page;
import dev.uplift.store.PageRequest;
import dev.uplift.store.StoreClock;
import dev.uplift.store.Transacted;
import dev.uplift.store.event.TenantEventRepository;
import io.micronaut.data.annotation.Query;
import io.micronaut.data.jdbc.annotation.JdbcRepository;
import io.micronaut.data.model.query.builder.sql.Dialect;
import io.micronaut.data.repository.GenericRepository;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The table `upgrade`. While an upgrade runs, Temporal holds the truth and this a projection of it; its end is
/// recorded here for ever.
@JdbcRepository(dialect = Dialect.POSTGRES)
@Transacted
public abstract class UpgradeRepository implements GenericRepository<UpgradeRow, String> {
  private static final String RUNNING = "running";
  private static final String ENDED = "ended";

  /// The filters that no index is chosen by; an empty text matches every row. The first page has a bound, too, or H2
  /// reads it from another index and sorts all rows.
  private static final String FILTER =
      """
       AND (:version = '' OR version = :version) AND (:state = '' OR state = :state)
      AND started_at <= :at AND (started_at < :at OR id < :before) ORDER BY tenant,\
      """;

  private static final String NEWEST_FIRST = " started_at DESC, id DESC LIMIT :limit";

  private final StoreClock clock;
  private final TenantEventRepository events;

  protected UpgradeRepository(StoreClock clock, TenantEventRepository events) {
    this.clock = clock;
    this.events = events;
  }

  /// Records the upgrade. Safe to repeat: the first call writes, each returns the row as it stands, with its end if it
  /// has one. An id that was used for another device or release returns that row unchanged: compare.
  ///
  /// @throws NoSuchTenant if its tenant does not exist
  public UpgradeRow createIfAbsent(NewUpgrade upgrade) {
    String tenant = upgrade.device().tenant();
    return find(tenant, upgrade.id()).or(() -> create(upgrade)).or(() -> find(tenant, upgrade.id())).orElseThrow();
  }

  /// Records the upgrade, and returns its row. Empty if there is one with its id.
  ///
  /// @throws NoSuchTenant if its tenant does not exist
  public Optional<UpgradeRow> create(NewUpgrade upgrade) {
    UpgradeRow row = UpgradeRow.begun(upgrade, clock.now());
    int created =
        insertIfAbsent(
            row.tenant(),
            row.id(),
            row.deviceName(),
            row.packageName(),
            row.version(),
            row.startedBy(),
            row.startedAt(),
            row.plan(),
            row.runId(),
            row.revertOf());
    if (created == 0) {
      return Optional.empty();
    }
    events.appendUpgradeStarted(row.device(), row.id(), row.release(), row.startedBy());
    return Optional.of(row);
  }

  @Query(
      """
      INSERT INTO upgrade (tenant, id, device, package, version, state, started_by, started_at, plan,
        run_id, revert_of)
      VALUES (:tenant, :id, :device, :packageName, :version, 'running', :startedBy, :now, :plan,
        :runId, :revertOf)
      ON CONFLICT DO NOTHING\
      """)
  abstract int insertIfAbsent(
      String tenant,
      String id,
      String device,
      String packageName,
      String version,
      String startedBy,
      Instant now,
      String plan,
      String runId,
      Optional<String> revertOf);

  /// Records the end of the upgrade. Safe to repeat: the first end stays, whatever comes later, and is in the row that
  /// is returned. Empty if the id is not in the records, as after they were restored from an older copy: then
  /// [#createIfAbsent] again first.
  public Optional<UpgradeRow> recordEnd(String tenant, String id, UpgradeEnd end) {
    return recordEnd(tenant, id, end, Optional.empty());
  }

  /// [#recordEnd(String, String, UpgradeEnd)] by another run than that of the beginning.
  ///
  /// @param run that ended it, if it was reset in Temporal
  public Optional<UpgradeRow> recordEnd(String tenant, String id, UpgradeEnd end, Optional<String> run) {
    update(tenant, id, end, run);
    return find(tenant, id);
  }

  /// [#recordEnd(String, String, UpgradeEnd, Optional)], which returns the end that counts and not its row: where it is
  /// this one, nothing is read.
  public Optional<UpgradeEnd> end(String tenant, String id, UpgradeEnd end, Optional<String> run) {
    return update(tenant, id, end, run) == 1 ? Optional.of(end.asStored()) : find(tenant, id).flatMap(UpgradeRow::end);
  }

  private int update(String tenant, String id, UpgradeEnd end, Optional<String> run) {
    int ended =
        updateEnd(
            tenant,
            id,
            Optional.of(end.outcome()),
            end.reason().map(UpgradeEnd.EndReason::kind).orElse(null),
            end.reason().map(UpgradeEnd.EndReason::code).orElse(null),
            end.reason().map(UpgradeEnd.EndReason::errorClass).orElse(null),
            end.reason().map(UpgradeEnd.EndReason::text).orElse(null),
            end.hostReports(),
            clock.now(),
            run.orElse(null));
    if (ended == 1) {
      events.appendUpgradeEnded(tenant, id);
    }
    return ended;
  }

  @Query(
      """
      UPDATE upgrade SET state = 'ended', outcome = :outcome, reason_kind = :kind,
        reason_code = :code, reason_class = :errorClass, reason_text = :text,
        host_reports = :hostReports, ended_at = :now, run_id = COALESCE(:run, run_id)
      WHERE tenant = :tenant AND id = :id AND state = 'running'\
      """)
  abstract int updateEnd(
      String tenant,
      String id,
      Optional<Outcome> outcome,
      @Nullable String kind,
      @Nullable String code,
      @Nullable String errorClass,
      @Nullable String text,
      String hostReports,
      Instant now,
      @Nullable String run);

  public Optional<UpgradeRow> find(String tenant, String id) {
    return findByTenantAndId(tenant, id);
  }

  abstract Optional<UpgradeRow> findByTenantAndId(String tenant, String id);

  /// Returns the upgrade with this id, if there is one, on whichever device, and the newest other one of the device
  /// that runs.
  @Query(
      """
      SELECT * FROM upgrade WHERE tenant = :tenant AND id = :id
      UNION ALL
      SELECT * FROM (SELECT * FROM upgrade WHERE tenant = :tenant AND device = :device
        AND state = 'running' AND id <> :id
        ORDER BY tenant, device, started_at DESC, id DESC LIMIT 1) running\
      """)
  public abstract List<UpgradeRow> listIdAndRunning(String tenant, String id, String device);

  /// The id of the newest upgrade of the device that runs.
  @Query(
      """
      SELECT id FROM upgrade WHERE tenant = :tenant AND device = :device AND state = 'running'
      ORDER BY tenant, device, started_at DESC, id DESC LIMIT 1\
      """)
  public abstract Optional<String> findRunning(String tenant, String device);

  /// The newest upgrade of a package on a device that has sent this host a command. Empty if none has: also if the host
  /// came to the device later.
  @Query(
      """
      SELECT * FROM upgrade WHERE tenant = :tenant AND device = :device AND package = :packageName
        AND EXISTS (SELECT 1 FROM command c WHERE c.tenant = upgrade.tenant AND c.upgrade = upgrade.id
          AND c.host = :host)
      ORDER BY tenant, device, started_at DESC, id DESC LIMIT 1\
      """)
  public abstract Optional<UpgradeRow> findNewestOfHost(String tenant, String device, String packageName, String host);

  /// Newest first.
  public Page<UpgradeRow> list(String tenant, UpgradeFilter filter, PageRequest page) {
    Optional<Cursor> cursor = Cursor.of(page, 2);
    Instant at = cursor.map(end -> end.instant(0)).orElse(StoreClock.END_OF_TIME);
    String before = cursor.map(end -> end.part(1)).orElse("");
    String device = filter.device().orElse("");
    String packageName = filter.packageName().orElse("");
    String version = filter.version().orElse("");
    String outcome = filter.outcome().map(EnumCodec::encode).orElse("");
    String state = filter.running().map(running -> running ? RUNNING : ENDED).orElse("");
    int limit = page.limit() + 1;
    List<UpgradeRow> found;
    if (!device.isEmpty()) {
      found = listOfDevice(tenant, device, packageName, outcome, version, state, at, before, limit);
    } else if (!outcome.isEmpty()) {
      found = listWithOutcome(tenant, packageName, outcome, version, state, at, before, limit);
    } else if (filter.running().orElse(false)) {
      found = listRunningOf(tenant, packageName, version, state, at, before, limit);
    } else if (!packageName.isEmpty()) {
      found = listOfPackage(tenant, packageName, version, state, at, before, limit);
    } else {
      found = listAll(tenant, version, state, at, before, limit);
    }
    return Cursor.toPage(found, page, row -> Cursor.encode(millis(row.startedAt()), row.id()));
  }

  @Query("SELECT * FROM upgrade WHERE tenant = :tenant" + FILTER + NEWEST_FIRST)
  abstract List<UpgradeRow> listAll(String tenant, String version, String state, Instant at, String before, int limit);

  @Query(
      "SELECT * FROM upgrade WHERE tenant = :tenant AND device = :device"
          + " AND (:packageName = '' OR package = :packageName)"
          + " AND (:outcome = '' OR outcome = :outcome)"
          + FILTER
          + " device,"
          + NEWEST_FIRST)
  abstract List<UpgradeRow> listOfDevice(
      String tenant,
      String device,
      String packageName,
      String outcome,
      String version,
      String state,
      Instant at,
      String before,
      int limit);

  @Query(
      "SELECT * FROM upgrade WHERE tenant = :tenant AND outcome = :outcome"
          + " AND (:packageName = '' OR package = :packageName)"
          + FILTER
          + " outcome,"
          + NEWEST_FIRST)
  abstract List<UpgradeRow> listWithOutcome(
      String tenant,
      String packageName,
      String outcome,
      String version,
      String state,
      Instant at,
      String before,
      int limit);

  /// The few that run are found by the index of the outcomes.
  @Query(
      "SELECT * FROM upgrade WHERE tenant = :tenant AND outcome IS NULL"
          + " AND (:packageName = '' OR package = :packageName)"
          + FILTER
          + " outcome,"
          + NEWEST_FIRST)
  abstract List<UpgradeRow> listRunningOf(
      String tenant, String packageName, String version, String state, Instant at, String before, int limit);

  @Query(
      "SELECT * FROM upgrade WHERE tenant = :tenant AND package = :packageName" + FILTER + " package," + NEWEST_FIRST)
  abstract List<UpgradeRow> listOfPackage(
      String tenant, String packageName, String version, String state, Instant at, String before, int limit);

  /// Upgrades of all tenants that have not ended, oldest first; for the reconciler.
  public Page<UpgradeRow> listRunning(PageRequest page) {
    Optional<Cursor> cursor = Cursor.of(page, 3);
    List<UpgradeRow> found =
        listRunningAfter(
            cursor.map(end -> end.instant(0)).orElse(Instant.EPOCH),
            cursor.map(end -> end.part(1)).orElse(""),
            cursor.map(end -> end.part(2)).orElse(""),
            page.limit() + 1);
    return Cursor.toPage(found, page, row -> Cursor.encode(millis(row.startedAt()), row.tenant(), row.id()));
  }

  /// How many upgrades of all tenants have not ended.
  @Query("SELECT COUNT(*) FROM upgrade WHERE state = 'running'")
  public abstract long countRunning();

  @Query(
      """
      SELECT * FROM upgrade WHERE state = 'running' AND started_at >= :at
        AND (started_at > :at OR tenant > :after OR (tenant = :after AND id > :id))
      ORDER BY state, started_at, tenant, id LIMIT :limit\
      """)
  abstract List<UpgradeRow> listRunningAfter(Instant at, String after, String id, int limit);

  private static String millis(Instant time) {
    return Long.toString(time.toEpochMilli());
  }
}
