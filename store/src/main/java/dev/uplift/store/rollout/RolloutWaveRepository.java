package dev.uplift.store.rollout;

import dev.uplift.fleet.RolloutId;
import dev.uplift.store.Database;
import dev.uplift.store.RowReader;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.mapper.RowMapper;

/// The table `rollout_wave`. A wave begins by [RolloutRepository#startWave].
public final class RolloutWaveRepository {
  private static final RowMapper<WaveRow> ROW = RowReader.mapper(RolloutWaveRepository::read);

  private final Database database;
  private final InstantSource clock;

  public RolloutWaveRepository(Database database, InstantSource clock) {
    this.database = database;
    this.clock = clock;
  }

  /// By number.
  public List<WaveRow> list(RolloutId id) {
    return database.withHandle(handle ->
        RolloutStatements.bind(
                handle.createQuery(
                    """
                    SELECT * FROM rollout_wave WHERE tenant = :tenant AND rollout = :rollout
                    ORDER BY tenant, rollout, number\
                    """),
                id)
            .map(ROW)
            .list());
  }

  public Optional<WaveRow> find(RolloutId id, int number) {
    return database.withHandle(handle ->
        RolloutStatements.bind(
                handle.createQuery(
                    """
                    SELECT * FROM rollout_wave
                    WHERE tenant = :tenant AND rollout = :rollout AND number = :number\
                    """),
                id)
            .bind("number", number)
            .map(ROW)
            .findOne());
  }

  /// Somebody said that the wave may begin. The first one who did stays.
  public void approve(RolloutId id, int number, String by, String remark) {
    database.withHandle(handle ->
        RolloutStatements.bind(
                handle.createUpdate(
                    """
                    UPDATE rollout_wave
                    SET approved_by = :by, approved_at = :now, remark = :remark
                    WHERE tenant = :tenant AND rollout = :rollout AND number = :number
                      AND approved_by IS NULL\
                    """),
                id)
            .bind("number", number)
            .bind("by", by)
            .bind("remark", remark)
            .bind("now", clock.instant())
            .execute());
  }

  /// Somebody said that the wave is done. The first one who did stays.
  public void markCompleted(RolloutId id, int number, String by) {
    database.withHandle(handle ->
        RolloutStatements.bind(
                handle.createUpdate(
                    """
                    UPDATE rollout_wave SET completed_by = :by, completed_at = COALESCE(completed_at, :now)
                    WHERE tenant = :tenant AND rollout = :rollout AND number = :number
                      AND completed_by IS NULL\
                    """),
                id)
            .bind("number", number)
            .bind("by", by)
            .bind("now", clock.instant())
            .execute());
  }

  void start(Handle handle, RolloutId id, int number) {
    RolloutStatements.bind(
            handle.createUpdate(
                """
                UPDATE rollout_wave SET completed_at = :now
                WHERE tenant = :tenant AND rollout = :rollout AND number < :number
                  AND completed_at IS NULL\
                """),
            id)
        .bind("number", number)
        .bind("now", clock.instant())
        .execute();
    RolloutStatements.bind(
            handle.createUpdate(
                """
                UPDATE rollout_wave SET started_at = :now
                WHERE tenant = :tenant AND rollout = :rollout AND number = :number
                  AND started_at IS NULL\
                """),
            id)
        .bind("number", number)
        .bind("now", clock.instant())
        .execute();
  }

  private static WaveRow read(RowReader row) throws SQLException {
    return new WaveRow(
        row.intValue("number"),
        row.intValue("plan_index"),
        row.text("title"),
        row.intValue("size"),
        row.optionalText("approved_by").isEmpty()
            ? Optional.empty()
            : Optional.of(
                new WaveRow.Approval(
                    row.text("approved_by"), row.instant("approved_at"), row.text("remark"))),
        row.optionalInstant("started_at"),
        row.optionalInstant("last_ended_at"),
        row.optionalInstant("completed_at"),
        row.optionalText("completed_by"));
  }
}
