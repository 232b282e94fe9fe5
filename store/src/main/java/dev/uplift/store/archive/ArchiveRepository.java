package dev.uplift.store.archive;

import dev.uplift.store.RequiresTransaction;
import dev.uplift.store.StoreClock;
import dev.uplift.store.Transacted;
import dev.uplift.store.archive.ArchiveBatch.Position;
import dev.uplift.store.archive.ArchivedKind.Rows;
import io.micronaut.data.jdbc.runtime.JdbcOperations;
import jakarta.inject.Singleton;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.sql.Types;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SequencedMap;
import org.jspecify.annotations.Nullable;

/// Moves what ended long ago out of the tables: lock a batch, copy it, delete it, all in one transaction. So nothing of
/// it changes between copy and deletion, and two servers never have the same batch.
///
/// The epochs of hosts stay for ever: a new command is above all that were archived.
@Singleton
@Transacted
public class ArchiveRepository {
  private static final int FETCH_SIZE = 100;

  /// Upgrades that stay, however old. Those that a rollout in the tables refers to, because its result, its health and
  /// its revert are read from them. Those that show that a release does not work on a device: planning would forget it.
  /// And a success as long as it is all that clears an older failure, which goes first.
  static final String SELECT_UPGRADES =
      """
      SELECT id, started_at FROM upgrade u
      WHERE tenant = ? AND state = 'ended' AND ended_at < ? AND started_at <= ? AND (started_at < ? OR id < ?)
        AND NOT EXISTS (SELECT 1 FROM rollout_target t
          WHERE t.tenant = u.tenant AND t.device = u.device AND (t.upgrade = u.id OR t.revert_upgrade = u.id))
        AND NOT (u.revert_of IS NULL AND u.failure_cleared_at IS NULL AND u.reason_kind = 'error'
          AND u.outcome IN ('prepare-failed', 'rolled-back', 'partial', 'stranded')
          AND NOT EXISTS (SELECT 1 FROM upgrade later
            WHERE later.tenant = u.tenant AND later.package = u.package AND later.version = u.version
              AND later.device = u.device AND later.revert_of IS NULL AND later.ended_at > u.ended_at
              AND later.outcome IN ('upgraded', 'no-action')))
        AND NOT (u.revert_of IS NULL AND u.outcome IN ('upgraded', 'no-action')
          AND EXISTS (SELECT 1 FROM upgrade earlier
            WHERE earlier.tenant = u.tenant AND earlier.package = u.package AND earlier.version = u.version
              AND earlier.device = u.device AND earlier.revert_of IS NULL AND earlier.ended_at <= u.ended_at
              AND earlier.failure_cleared_at IS NULL AND earlier.reason_kind = 'error'
              AND earlier.outcome IN ('prepare-failed', 'rolled-back', 'partial', 'stranded')))
      ORDER BY tenant, started_at DESC, id DESC LIMIT ?\
      """;

  /// The newest of an enabled policy stays if it was aborted since: it keeps the policy from beginning again. The
  /// oldest leaves first, so that none becomes the newest by the way.
  private static final String SELECT_ROLLOUT =
      """
      SELECT id FROM rollout r WHERE tenant = ? AND state = 'ended' AND ended_at < ?
        AND NOT (r.policy <> '' AND r.outcome = 'aborted'
          AND EXISTS (SELECT 1 FROM policy p WHERE p.tenant = r.tenant AND p.name = r.policy AND p.enabled = TRUE
            AND p.enabled_at < r.created_at)
          AND NOT EXISTS (SELECT 1 FROM rollout newer WHERE newer.tenant = r.tenant AND newer.policy = r.policy
            AND newer.created_at > r.created_at))
      ORDER BY tenant, created_at, id LIMIT 1 FOR UPDATE SKIP LOCKED\
      """;

  /// One whose rollout is in the tables stays: a later barrier of its name would need the name of that rollout.
  private static final String SELECT_BARRIER =
      """
      SELECT name FROM barrier b WHERE tenant = ? AND state = 'ended' AND ended_at < ?
        AND NOT EXISTS (SELECT 1 FROM rollout r WHERE r.tenant = b.tenant AND r.id = b.rollout)
      ORDER BY tenant, created_at DESC, name DESC LIMIT 1 FOR UPDATE SKIP LOCKED\
      """;

  static final String SELECT_AUDIT =
      "SELECT number, occurred_at FROM audit WHERE tenant = ? ORDER BY tenant, number LIMIT ?";

  private final JdbcOperations jdbc;

  protected ArchiveRepository(JdbcOperations jdbc) {
    this.jdbc = jdbc;
  }

  /// Locks upgrades that ended before `endedBefore` and that nothing refers to any more, newest first.
  ///
  /// @param after where the batch before ended; empty at the beginning
  @RequiresTransaction
  public ArchiveBatch lockUpgrades(String tenant, Optional<Position> after, Instant endedBefore, int limit) {
    Position from = after.orElse(new Position(StoreClock.END_OF_TIME, ""));
    List<Position> found =
        jdbc.prepareStatement(
            SELECT_UPGRADES,
            statement -> {
              statement.setString(1, tenant);
              setTime(statement, 2, endedBefore);
              setTime(statement, 3, from.startedAt());
              setTime(statement, 4, from.startedAt());
              statement.setString(5, from.id());
              statement.setInt(6, limit);
              return read(statement, row -> new Position(time(row, 2), row.getString(1)));
            });
    return new ArchiveBatch(
        tenant,
        ArchivedKind.UPGRADES,
        lock(tenant, ArchivedKind.UPGRADES, List.copyOf(found.stream().map(Position::id).toList())),
        found.size() < limit ? Optional.empty() : Optional.of(found.getLast()));
  }

  /// Locks one rollout that ended before `endedBefore` and that no policy needs any more.
  @RequiresTransaction
  public ArchiveBatch lockRollout(String tenant, Instant endedBefore) {
    return lockOne(tenant, ArchivedKind.ROLLOUTS, SELECT_ROLLOUT, endedBefore);
  }

  /// Locks one barrier that ended before `endedBefore` and whose rollout, if it has one, is in the tables no more.
  @RequiresTransaction
  public ArchiveBatch lockBarrier(String tenant, Instant endedBefore) {
    return lockOne(tenant, ArchivedKind.BARRIERS, SELECT_BARRIER, endedBefore);
  }

  private ArchiveBatch lockOne(String tenant, ArchivedKind kind, String select, Instant endedBefore) {
    List<String> found =
        jdbc.prepareStatement(
            select,
            statement -> {
              statement.setString(1, tenant);
              setTime(statement, 2, endedBefore);
              return read(statement, row -> row.getString(1));
            });
    return new ArchiveBatch(tenant, kind, List.copyOf(found), Optional.empty());
  }

  /// Locks the oldest entries of the audit log, up to the first that is not older than `before`.
  @RequiresTransaction
  public ArchiveBatch lockAudit(String tenant, Instant before, int limit) {
    record Entry(long number, Instant occurredAt) {}
    List<Entry> found =
        jdbc.prepareStatement(
            SELECT_AUDIT,
            statement -> {
              statement.setString(1, tenant);
              statement.setInt(2, limit);
              return read(statement, row -> new Entry(row.getLong(1), time(row, 2)));
            });
    List<Long> old = found.stream().takeWhile(entry -> entry.occurredAt().isBefore(before)).map(Entry::number).toList();
    return new ArchiveBatch(
        tenant, ArchivedKind.AUDIT, lock(tenant, ArchivedKind.AUDIT, List.copyOf(old)), Optional.empty());
  }

  /// Returns those of the records that no other server has locked. In a statement of its own: with `FOR UPDATE` H2
  /// reads no index in the order that is asked for, and would sort the whole table for each batch.
  private List<Object> lock(String tenant, ArchivedKind kind, List<Object> ids) {
    Rows rows = kind.rows().getFirst();
    String id = kind == ArchivedKind.AUDIT ? "number" : "id";
    return jdbc.prepareStatement(
        "SELECT " + id + " FROM " + rows.table() + " WHERE " + rows.condition() + " FOR UPDATE SKIP LOCKED",
        statement -> {
          setBatch(statement, rows, new ArchiveBatch(tenant, kind, ids, Optional.empty()));
          return read(statement, row -> row.getObject(1));
        });
  }

  /// Passes on every row of the batch, table by table.
  @RequiresTransaction
  public void copy(ArchiveBatch batch, RowConsumer consumer) {
    for (Rows rows : batch.kind().rows()) {
      jdbc.prepareStatement(
          "SELECT * FROM " + rows.table() + " WHERE " + rows.condition(),
          statement -> {
            setBatch(statement, rows, batch);
            statement.setFetchSize(FETCH_SIZE);
            try (ResultSet result = statement.executeQuery()) {
              while (result.next()) {
                consumer.accept(rows.table(), columns(result));
              }
            }
            return batch;
          });
    }
  }

  /// Deletes every row of the batch. Returns how many there were.
  @RequiresTransaction
  public int delete(ArchiveBatch batch) {
    int deleted = 0;
    for (Rows rows : batch.kind().rows().reversed()) {
      deleted +=
          jdbc.prepareStatement(
              "DELETE FROM " + rows.table() + " WHERE " + rows.condition(),
              statement -> {
                setBatch(statement, rows, batch);
                return statement.executeUpdate();
              });
    }
    return deleted;
  }

  private static void setBatch(PreparedStatement statement, Rows rows, ArchiveBatch batch) throws SQLException {
    for (int i = 1; i <= rows.tenants(); i++) {
      statement.setString(i, batch.tenant());
    }
    statement.setArray(
        rows.tenants() + 1, statement.getConnection().createArrayOf(batch.kind().idType(), batch.ids().toArray()));
  }

  private static void setTime(PreparedStatement statement, int index, Instant time) throws SQLException {
    statement.setObject(index, time.atOffset(ZoneOffset.UTC));
  }

  private static Instant time(ResultSet row, int index) throws SQLException {
    return row.getTimestamp(index).toInstant();
  }

  private interface RowReader<T> {
    T read(ResultSet row) throws SQLException;
  }

  private static <T> List<T> read(PreparedStatement statement, RowReader<T> reader) throws SQLException {
    List<T> found = new ArrayList<>();
    try (ResultSet result = statement.executeQuery()) {
      while (result.next()) {
        found.add(reader.read(result));
      }
    }
    return found;
  }

  private static SequencedMap<String, @Nullable Object> columns(ResultSet row) throws SQLException {
    ResultSetMetaData table = row.getMetaData();
    var columns = new LinkedHashMap<String, @Nullable Object>();
    for (int i = 1; i <= table.getColumnCount(); i++) {
      columns.put(table.getColumnName(i).toLowerCase(Locale.ROOT), column(row, i, table.getColumnType(i)));
    }
    return columns;
  }

  /// The databases name the type of a time differently.
  private static @Nullable Object column(ResultSet row, int index, int type) throws SQLException {
    if (type == Types.TIMESTAMP || type == Types.TIMESTAMP_WITH_TIMEZONE) {
      Timestamp time = row.getTimestamp(index);
      return time == null ? null : time.toInstant();
    }
    return row.getObject(index);
  }
}
