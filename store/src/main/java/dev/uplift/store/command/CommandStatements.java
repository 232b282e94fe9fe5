package dev.uplift.store.command;

import dev.uplift.fleet.HostId;
import dev.uplift.fleet.Step;
import dev.uplift.store.EnumCodec;
import dev.uplift.store.RowReader;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.LongStream;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.mapper.RowMapper;
import org.jdbi.v3.core.statement.SqlStatement;
import org.jdbi.v3.core.statement.Update;
import org.jspecify.annotations.Nullable;

/// The statements behind [CommandRepository], within one transaction.
final class CommandStatements {
  private static final RowMapper<CommandRow> ROW = RowReader.mapper(CommandStatements::read);

  private static final String SELECT =
      """
      SELECT command.*, cancel.body AS cancel_body, cancel.signature AS cancel_signature,
        cancel.stream_sequence AS cancel_stream_sequence
      FROM command LEFT JOIN command cancel
        ON cancel.tenant = command.tenant AND cancel.id = command.cancelled_by
      WHERE command.tenant = :tenant AND\
      """;

  private final Handle handle;

  CommandStatements(Handle handle) {
    this.handle = handle;
  }

  /// The last epoch of the host. Nobody else mints for it until the end of the transaction.
  long lockEpoch(String tenant, HostId host) {
    return epoch(tenant, host)
        .orElseGet(() -> {
          handle
              .createUpdate(
                  """
                  INSERT INTO host_epoch (tenant, host, epoch) VALUES (:tenant, :host, 0)
                  ON CONFLICT DO NOTHING\
                  """)
              .bind("tenant", tenant)
              .bind("host", host.value())
              .execute();
          return epoch(tenant, host).orElseThrow();
        });
  }

  private Optional<Long> epoch(String tenant, HostId host) {
    return handle
        .createQuery(
            "SELECT epoch FROM host_epoch WHERE tenant = :tenant AND host = :host FOR UPDATE")
        .bind("tenant", tenant)
        .bind("host", host.value())
        .mapTo(Long.class)
        .findOne();
  }

  void setEpoch(String tenant, HostId host, long epoch) {
    handle
        .createUpdate(
            "UPDATE host_epoch SET epoch = :epoch WHERE tenant = :tenant AND host = :host")
        .bind("epoch", epoch)
        .bind("tenant", tenant)
        .bind("host", host.value())
        .execute();
  }

  Optional<CommandRow> find(CommandKey key) {
    return bindKey(
            handle.createQuery(
                SELECT
                    + " command.upgrade = :upgrade AND command.host = :host"
                    + " AND command.step = :step AND command.generation = :generation"),
            key)
        .map(ROW)
        .findOne();
  }

  Optional<CommandRow> find(String tenant, String id) {
    return handle
        .createQuery(SELECT + " command.id = :id")
        .bind("tenant", tenant)
        .bind("id", id)
        .map(ROW)
        .findOne();
  }

  List<CommandRow> findOpen(String tenant, HostId host) {
    return handle
        .createQuery(SELECT + " command.host = :host AND command.closed_at IS NULL")
        .bind("tenant", tenant)
        .bind("host", host.value())
        .map(ROW)
        .list();
  }

  /// Where the next cancel for this host stands.
  CommandKey nextCancelKey(CommandKey command) {
    int generation =
        handle
            .createQuery(
                """
                SELECT COALESCE(MAX(generation), 0) + 1 FROM command WHERE tenant = :tenant
                AND upgrade = :upgrade AND host = :host AND step = :step\
                """)
            .bind("tenant", command.tenant())
            .bind("upgrade", command.upgrade())
            .bind("host", command.host().value())
            .bind("step", EnumCodec.encode(Step.CANCEL))
            .mapTo(Integer.class)
            .one();
    return new CommandKey(
        command.tenant(), command.upgrade(), command.host(), Step.CANCEL, generation);
  }

  void insert(CommandKey key, SignedCommand signedCommand, long epoch, @Nullable WaitingActivity waitingActivity, Instant now) {
    bindKey(
            handle.createUpdate(
                """
                INSERT INTO command (tenant, id, upgrade, host, step, generation, epoch, body,
                  signature, workflow_id, activity_id, publish_count, created_at)
                VALUES (:tenant, :id, :upgrade, :host, :step, :generation, :epoch, :body,
                  :signature, :workflow, :activity, 0, :now)\
                """),
            key)
        .bind("id", signedCommand.id())
        .bind("epoch", epoch)
        .bind("body", signedCommand.body())
        .bind("signature", signedCommand.signature())
        .bind("workflow", waitingActivity == null ? null : waitingActivity.workflowId())
        .bind("activity", waitingActivity == null ? null : waitingActivity.activityId())
        .bind("now", now)
        .execute();
  }

  void insertWithdrawn(CommandKey key, String id, Instant now) {
    bindKey(
            handle.createUpdate(
                """
                INSERT INTO command (tenant, id, upgrade, host, step, generation, epoch, publish_count,
                  created_at, closed_at)
                VALUES (:tenant, :id, :upgrade, :host, :step, :generation, 0, 0, :now, :now)\
                """),
            key)
        .bind("id", id)
        .bind("now", now)
        .execute();
  }

  void setWaiter(String tenant, String id, WaitingActivity waitingActivity) {
    updateById(
            """
            UPDATE command SET workflow_id = :workflow, activity_id = :activity
            WHERE tenant = :tenant AND id = :id\
            """,
            tenant,
            id)
        .bind("workflow", waitingActivity.workflowId())
        .bind("activity", waitingActivity.activityId())
        .execute();
  }

  void setCancel(String tenant, String id, String cancel) {
    updateById(
            "UPDATE command SET cancelled_by = :cancel WHERE tenant = :tenant AND id = :id",
            tenant,
            id)
        .bind("cancel", cancel)
        .execute();
  }

  Update updateById(String sql, String tenant, String id) {
    return handle.createUpdate(sql).bind("tenant", tenant).bind("id", id);
  }

  private static <S extends SqlStatement<S>> S bindKey(S statement, CommandKey key) {
    return statement
        .bind("tenant", key.tenant())
        .bind("upgrade", key.upgrade())
        .bind("host", key.host().value())
        .bind("step", EnumCodec.encode(key.step()))
        .bind("generation", key.generation());
  }

  static CommandKey readKey(RowReader row) throws SQLException {
    return new CommandKey(
        row.text("tenant"),
        row.text("upgrade"),
        new HostId(row.text("host")),
        row.enumValue("step", Step.class),
        row.intValue("generation"));
  }

  static CommandTimes readTimes(RowReader row) throws SQLException {
    return new CommandTimes(
        row.instant("created_at"),
        row.optionalInstant("published_at"),
        row.intValue("publish_count"),
        row.optionalInstant("accepted_at"),
        row.optionalInstant("closed_at"));
  }

  private static CommandRow read(RowReader row) throws SQLException {
    return new CommandRow(
        readKey(row),
        row.text("id"),
        row.longValue("epoch"),
        readSigned(row, "id", "body", "signature"),
        readWaiter(row),
        readSigned(row, "cancelled_by", "cancel_body", "cancel_signature"),
        row.optionalText("outcome"),
        row.optionalText("progress"),
        latest(row.optionalLong("stream_sequence"), row.optionalLong("cancel_stream_sequence")),
        readTimes(row));
  }

  private static Optional<SignedCommand> readSigned(
      RowReader row, String id, String body, String signature) throws SQLException {
    return row.optionalText(body).isEmpty()
        ? Optional.empty()
        : Optional.of(new SignedCommand(row.text(id), row.text(body), row.text(signature)));
  }

  private static Optional<WaitingActivity> readWaiter(RowReader row) throws SQLException {
    return row.optionalText("workflow_id").isEmpty()
        ? Optional.empty()
        : Optional.of(new WaitingActivity(row.text("workflow_id"), row.text("activity_id")));
  }

  private static OptionalLong latest(OptionalLong one, OptionalLong other) {
    return LongStream.concat(one.stream(), other.stream()).max();
  }
}
