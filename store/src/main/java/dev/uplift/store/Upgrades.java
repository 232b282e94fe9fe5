package dev.uplift.store;

import dev.uplift.fleet.DeviceId;
import dev.uplift.fleet.Outcome;
import dev.uplift.fleet.Release;
import java.sql.SQLException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.mapper.RowMapper;

/// The table `upgrade`. While an upgrade runs Temporal is the truth and this a projection of it;
/// how it ended stands here for ever.
public final class Upgrades {
  static final String RUNNING = "running";
  private static final String ENDED = "ended";
  private static final Instant AFTER_ALL = Instant.parse("9999-01-01T00:00:00Z");
  private static final String NEWEST_FIRST = "started_at DESC, id DESC";
  private static final RowMapper<UpgradeRow> ROW = Columns.as(Upgrades::read);

  /// The end of one that has ended.
  static final RowMapper<UpgradeEnd> END = Columns.as(Upgrades::readEnd);

  private final Database database;
  private final InstantSource clock;

  public Upgrades(Database database, InstantSource clock) {
    this.database = database;
    this.clock = clock;
  }

  /// The upgrade stands in the records. Safe to repeat: the first call writes, each returns the row
  /// as it stands, with its end if it has one. An id that was used for another device or release
  /// returns that row unchanged: compare.
  ///
  /// @throws NoSuchTenant if there is none for it
  public UpgradeRow begin(NewUpgrade upgrade) {
    String tenant = upgrade.device().tenant();
    return database.run(handle ->
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
              started_at, plan, run, revert_of)
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
        .bind("run", upgrade.run())
        .bind("revertOf", upgrade.revertOf().orElse(null))
        .execute();
  }

  /// The upgrade has ended. Safe to repeat: the first end stays, whatever comes later, and is in
  /// the row that is returned. Empty if the id is not in the records, as after they were restored
  /// from an older copy: then [#begin] again first.
  public Optional<UpgradeRow> end(String tenant, String id, UpgradeEnd end) {
    return end(tenant, id, end, Optional.empty());
  }

  /// The same.
  ///
  /// @param run that ended it: another than at its beginning if it was reset in Temporal
  public Optional<UpgradeRow> end(String tenant, String id, UpgradeEnd end, Optional<String> run) {
    return database.run(handle -> {
      handle
          .createUpdate(
              """
              UPDATE upgrade SET state = :ended, outcome = :outcome, reason_kind = :kind,
                reason_code = :code, reason_class = :class, reason_text = :text,
                hosts = :hosts, ended_at = :now, run = COALESCE(:run, run)
              WHERE tenant = :tenant AND id = :id AND state = :running\
              """)
          .bind("ended", ENDED)
          .bind("running", RUNNING)
          .bind("outcome", Words.write(end.outcome()))
          .bind("kind", end.why().map(UpgradeEnd.Why::kind).orElse(null))
          .bind("code", end.why().map(UpgradeEnd.Why::code).orElse(null))
          .bind("class", end.why().map(UpgradeEnd.Why::errorClass).orElse(null))
          .bind("text", end.why().map(UpgradeEnd.Why::text).orElse(null))
          .bind("hosts", end.hosts())
          .bind("run", run.orElse(null))
          .bind("now", clock.instant())
          .bind("tenant", tenant)
          .bind("id", id)
          .execute();
      return find(handle, tenant, id);
    });
  }

  public Optional<UpgradeRow> find(String tenant, String id) {
    return database.run(handle -> find(handle, tenant, id));
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
    Question question =
        new Question(order(filter), "SELECT * FROM upgrade WHERE tenant = :tenant")
            .with("tenant", tenant)
            .andIs("device", filter.device())
            .andIs("package", filter.packageName())
            .andIs("version", filter.version())
            .andIs("outcome", filter.outcome().map(Words::write))
            .andIs("state", filter.running().map(running -> running ? RUNNING : ENDED));
    if (filter.running().orElse(false)) {
      // The few of them are found by the index of the outcomes.
      question.and("outcome IS NULL");
    }
    // The first page has a bound, too, or H2 reads it from another index and sorts all rows.
    Optional<Cursor> cursor = Cursor.of(page, 2);
    question
        .and("started_at <= :at AND (started_at < :at OR id < :before)")
        .with("at", cursor.map(end -> end.time(0)).orElse(AFTER_ALL))
        .with("before", cursor.map(end -> end.part(1)).orElse(""));
    List<UpgradeRow> rows = database.run(handle -> question.rows(handle, page, ROW));
    return Cursor.page(rows, page, row -> Cursor.write(millis(row.startedAt()), row.id()));
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
  public Optional<UpgradeRow> failedBefore(DeviceId device, Release release) {
    return database
        .run(handle ->
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
  public Page<UpgradeRow> open(PageRequest page) {
    Question question =
        new Question("state, started_at, tenant, id", "SELECT * FROM upgrade WHERE state = :state")
            .with("state", RUNNING);
    Cursor.of(page, 3)
        .ifPresent(end ->
            question
                .and(
                    "started_at >= :at AND (started_at > :at OR tenant > :after"
                        + " OR (tenant = :after AND id > :id))")
                .with("at", end.time(0))
                .with("after", end.part(1))
                .with("id", end.part(2)));
    List<UpgradeRow> rows = database.run(handle -> question.rows(handle, page, ROW));
    return Cursor.page(
        rows, page, row -> Cursor.write(millis(row.startedAt()), row.device().tenant(), row.id()));
  }

  private static String millis(Instant time) {
    return Long.toString(time.toEpochMilli());
  }

  private static UpgradeRow read(Columns row) throws SQLException {
    return new UpgradeRow(
        row.text("id"),
        new DeviceId(row.text("tenant"), row.text("device")),
        new Release(row.text("package"), row.text("version")),
        row.text("started_by"),
        row.time("started_at"),
        row.text("plan"),
        row.maybeText("run"),
        row.maybeText("revert_of"),
        row.text("state").equals(ENDED) ? Optional.of(readEnd(row)) : Optional.empty(),
        row.maybeTime("ended_at"));
  }

  private static UpgradeEnd readEnd(Columns row) throws SQLException {
    Optional<UpgradeEnd.Why> why =
        row.maybeText("reason_kind").isEmpty()
            ? Optional.empty()
            : Optional.of(
                new UpgradeEnd.Why(
                    row.text("reason_kind"),
                    row.text("reason_code"),
                    row.text("reason_class"),
                    row.text("reason_text")));
    return new UpgradeEnd(row.word("outcome", Outcome.class), why, row.text("hosts"));
  }
}
