package dev.uplift.store.upgrade;

import dev.uplift.fleet.DeviceId;
import dev.uplift.fleet.Outcome;
import dev.uplift.fleet.Release;
import dev.uplift.store.Cursor;
import dev.uplift.store.Database;
import dev.uplift.store.EnumCodec;
import dev.uplift.store.NoSuchTenant;
import dev.uplift.store.Page;
import dev.uplift.store.PageRequest;
import dev.uplift.store.PagedQuery;
import dev.uplift.store.RowReader;
import java.sql.SQLException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.mapper.RowMapper;

/// The table `upgrade`. While an upgrade runs Temporal is the truth and this a projection of it;
/// how it ended stands here for ever.
public final class UpgradeRepository {
  public static final String RUNNING = "running";
  private static final String ENDED = "ended";
  private static final Instant END_OF_TIME = Instant.parse("9999-01-01T00:00:00Z");
  private static final String NEWEST_FIRST = "started_at DESC, id DESC";
  private static final RowMapper<UpgradeRow> ROW = RowReader.mapper(UpgradeRepository::read);

  /// The end of one that has ended.
  public static final RowMapper<UpgradeEnd> END_MAPPER = RowReader.mapper(UpgradeRepository::readEnd);

  private final Database database;
  private final InstantSource clock;

  public UpgradeRepository(Database database, InstantSource clock) {
    this.database = database;
    this.clock = clock;
  }

  /// The upgrade stands in the records. Safe to repeat: the first call writes, each returns the row
  /// as it stands, with its end if it has one. An id that was used for another device or release
  /// returns that row unchanged: compare.
  ///
  /// @throws NoSuchTenant if there is none for it
  public UpgradeRow createIfAbsent(NewUpgrade upgrade) {
    String tenant = upgrade.device().tenant();
    return database.withHandle(handle ->
        find(handle, tenant, upgrade.id())
            .orElseGet(() -> {
              insert(handle, upgrade);
              return find(handle, tenant, upgrade.id()).orElseThrow();
            }));
  }

  private void insert(Handle handle, NewUpgrade upgrade) {
    handle
        .createUpdate(
            """
            INSERT INTO upgrade (tenant, id, device, package, version, state, started_by,
              started_at, plan, run_id, revert_of)
            VALUES (:tenant, :id, :device, :package, :version, :state, :by, :now, :plan, :run,
              :revertOf)
            ON CONFLICT DO NOTHING\
            """)
        .bind("tenant", upgrade.device().tenant())
        .bind("id", upgrade.id())
        .bind("device", upgrade.device().name())
        .bind("package", upgrade.release().packageName())
        .bind("version", upgrade.release().version())
        .bind("state", RUNNING)
        .bind("by", upgrade.startedBy())
        .bind("now", clock.instant())
        .bind("plan", upgrade.plan())
        .bind("run", upgrade.runId())
        .bind("revertOf", upgrade.revertOf().orElse(null))
        .execute();
  }

  /// The upgrade has ended. Safe to repeat: the first end stays, whatever comes later, and is in
  /// the row that is returned. Empty if the id is not in the records, as after they were restored
  /// from an older copy: then [#createIfAbsent] again first.
  public Optional<UpgradeRow> recordEnd(String tenant, String id, UpgradeEnd end) {
    return recordEnd(tenant, id, end, Optional.empty());
  }

  /// The same.
  ///
  /// @param run that ended it: another than at its beginning if it was reset in Temporal
  public Optional<UpgradeRow> recordEnd(String tenant, String id, UpgradeEnd end, Optional<String> run) {
    return database.withHandle(handle -> {
      handle
          .createUpdate(
              """
              UPDATE upgrade SET state = :ended, outcome = :outcome, reason_kind = :kind,
                reason_code = :code, reason_class = :class, reason_text = :text,
                host_reports = :hosts, ended_at = :now, run_id = COALESCE(:run, run_id)
              WHERE tenant = :tenant AND id = :id AND state = :running\
              """)
          .bind("ended", ENDED)
          .bind("running", RUNNING)
          .bind("outcome", EnumCodec.encode(end.outcome()))
          .bind("kind", end.reason().map(UpgradeEnd.EndReason::kind).orElse(null))
          .bind("code", end.reason().map(UpgradeEnd.EndReason::code).orElse(null))
          .bind("class", end.reason().map(UpgradeEnd.EndReason::errorClass).orElse(null))
          .bind("text", end.reason().map(UpgradeEnd.EndReason::text).orElse(null))
          .bind("hosts", end.hostReports())
          .bind("run", run.orElse(null))
          .bind("now", clock.instant())
          .bind("tenant", tenant)
          .bind("id", id)
          .execute();
      return find(handle, tenant, id);
    });
  }

  public Optional<UpgradeRow> find(String tenant, String id) {
    return database.withHandle(handle -> find(handle, tenant, id));
  }

  private static Optional<UpgradeRow> find(Handle handle, String tenant, String id) {
    return handle
        .createQuery("SELECT * FROM upgrade WHERE tenant = :tenant AND id = :id")
        .bind("tenant", tenant)
        .bind("id", id)
        .map(ROW)
        .findOne();
  }

  /// Newest first.
  public Page<UpgradeRow> list(String tenant, UpgradeFilter filter, PageRequest page) {
    PagedQuery pagedQuery =
        new PagedQuery(order(filter), "SELECT * FROM upgrade WHERE tenant = :tenant")
            .bind("tenant", tenant)
            .andEquals("device", filter.device())
            .andEquals("package", filter.packageName())
            .andEquals("version", filter.version())
            .andEquals("outcome", filter.outcome().map(EnumCodec::encode))
            .andEquals("state", filter.running().map(running -> running ? RUNNING : ENDED));
    if (filter.running().orElse(false)) {
      // The few of them are found by the index of the outcomes.
      pagedQuery.and("outcome IS NULL");
    }
    // The first page has a bound, too, or H2 reads it from another index and sorts all rows.
    Optional<Cursor> cursor = Cursor.of(page, 2);
    pagedQuery
        .and("started_at <= :at AND (started_at < :at OR id < :before)")
        .bind("at", cursor.map(end -> end.instant(0)).orElse(END_OF_TIME))
        .bind("before", cursor.map(end -> end.part(1)).orElse(""));
    List<UpgradeRow> rows = database.withHandle(handle -> pagedQuery.fetch(handle, page, ROW));
    return Cursor.toPage(rows, page, row -> Cursor.encode(millis(row.startedAt()), row.id()));
  }

  private static String order(UpgradeFilter filter) {
    if (filter.device().isPresent()) {
      return "tenant, device, " + NEWEST_FIRST;
    }
    if (filter.outcome().isPresent() || filter.running().orElse(false)) {
      return "tenant, outcome, " + NEWEST_FIRST;
    }
    return filter.packageName().isPresent()
        ? "tenant, package, " + NEWEST_FIRST
        : "tenant, " + NEWEST_FIRST;
  }

  /// The upgrade that shows that this release does not work on this device: it ended with an error
  /// of its own after the release last succeeded there. Deadlines, aborts and refusals do not
  /// count, nor does what takes an upgrade back.
  public Optional<UpgradeRow> findFailureSinceSuccess(DeviceId device, Release release) {
    return database
        .withHandle(handle ->
            handle
                .createQuery(
                    """
                    SELECT * FROM upgrade WHERE tenant = :tenant AND device = :device
                      AND package = :package AND version = :version AND revert_of IS NULL
                      AND (outcome IN ('upgraded', 'no-action') OR (reason_kind = 'error'
                        AND outcome IN ('prepare-failed', 'rolled-back', 'partial', 'stranded')))
                    ORDER BY ended_at DESC, started_at DESC, id DESC LIMIT 1\
                    """)
                .bind("tenant", device.tenant())
                .bind("device", device.name())
                .bind("package", release.packageName())
                .bind("version", release.version())
                .map(ROW)
                .findOne())
        .filter(row -> row.end().filter(UpgradeEnd::isSuccess).isEmpty());
  }

  /// Upgrades of all tenants that have not ended, oldest first; for the reconciler.
  public Page<UpgradeRow> listRunning(PageRequest page) {
    PagedQuery pagedQuery =
        new PagedQuery("state, started_at, tenant, id", "SELECT * FROM upgrade WHERE state = :state")
            .bind("state", RUNNING);
    Cursor.of(page, 3)
        .ifPresent(end ->
            pagedQuery
                .and(
                    "started_at >= :at AND (started_at > :at OR tenant > :after"
                        + " OR (tenant = :after AND id > :id))")
                .bind("at", end.instant(0))
                .bind("after", end.part(1))
                .bind("id", end.part(2)));
    List<UpgradeRow> rows = database.withHandle(handle -> pagedQuery.fetch(handle, page, ROW));
    return Cursor.toPage(
        rows, page, row -> Cursor.encode(millis(row.startedAt()), row.device().tenant(), row.id()));
  }

  private static String millis(Instant time) {
    return Long.toString(time.toEpochMilli());
  }

  private static UpgradeRow read(RowReader row) throws SQLException {
    return new UpgradeRow(
        row.text("id"),
        new DeviceId(row.text("tenant"), row.text("device")),
        new Release(row.text("package"), row.text("version")),
        row.text("started_by"),
        row.instant("started_at"),
        row.text("plan"),
        row.optionalText("run_id"),
        row.optionalText("revert_of"),
        row.text("state").equals(ENDED) ? Optional.of(readEnd(row)) : Optional.empty(),
        row.optionalInstant("ended_at"));
  }

  private static UpgradeEnd readEnd(RowReader row) throws SQLException {
    Optional<UpgradeEnd.EndReason> reason =
        row.optionalText("reason_kind").isEmpty()
            ? Optional.empty()
            : Optional.of(
                new UpgradeEnd.EndReason(
                    row.text("reason_kind"),
                    row.text("reason_code"),
                    row.text("reason_class"),
                    row.text("reason_text")));
    return new UpgradeEnd(row.enumValue("outcome", Outcome.class), reason, row.text("host_reports"));
  }
}
