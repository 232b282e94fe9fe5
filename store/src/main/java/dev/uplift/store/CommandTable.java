package dev.uplift.store;

import dev.uplift.fleet.HostId;
import dev.uplift.fleet.Step;
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

/// The statements behind [Commands], within one transaction.
final class CommandTable {
  private static final RowMapper<CommandRow> ROW = Columns.as(CommandTable::read);

  private static final String SELECT =
      """
      SELECT command.*, cancel.body AS cancel_body, cancel.signature AS cancel_signature,
        cancel.slot AS cancel_slot
      FROM command LEFT JOIN command cancel
        ON cancel.tenant = command.tenant AND cancel.id = command.cancelled_by
      WHERE command.tenant = :tenant AND\
      """;

  private final Handle handle;

  CommandTable(Handle handle) {
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
    return keyed(
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

  List<CommandRow> open(String tenant, HostId host) {
    return handle
        .createQuery(SELECT + " command.host = :host AND command.settled_at IS NULL")
        .bind("tenant", tenant)
        .bind("host", host.value())
        .map(ROW)
        .list();
  }

  /// Where the next cancel for this host stands.
  CommandKey nextCancel(CommandKey command) {
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
            .bind("step", Words.write(Step.CANCEL))
            .mapTo(Integer.class)
            .one();
    return new CommandKey(
        command.tenant(), command.upgrade(), command.host(), Step.CANCEL, generation);
  }

  void insert(CommandKey key, Written written, long epoch, @Nullable Waiter waiter, Instant now) {
    keyed(
            handle.createUpdate(
                """
                INSERT INTO command (tenant, id, upgrade, host, step, generation, epoch, body,
                  signature, waiter_workflow, waiter_activity, sends, minted_at)
                VALUES (:tenant, :id, :upgrade, :host, :step, :generation, :epoch, :body,
                  :signature, :workflow, :activity, 0, :now)\
                """),
            key)
        .bind("id", written.id())
        .bind("epoch", epoch)
        .bind("body", written.body())
        .bind("signature", written.signature())
        .bind("workflow", waiter == null ? null : waiter.workflowId())
        .bind("activity", waiter == null ? null : waiter.activityId())
        .bind("now", now)
        .execute();
  }

  void insertWithdrawn(CommandKey key, String id, Instant now) {
    keyed(
            handle.createUpdate(
                """
                INSERT INTO command (tenant, id, upgrade, host, step, generation, epoch, sends,
                  minted_at, settled_at)
                VALUES (:tenant, :id, :upgrade, :host, :step, :generation, 0, 0, :now, :now)\
                """),
            key)
        .bind("id", id)
        .bind("now", now)
        .execute();
  }

  void setWaiter(String tenant, String id, Waiter waiter) {
    byId(
            """
            UPDATE command SET waiter_workflow = :workflow, waiter_activity = :activity
            WHERE tenant = :tenant AND id = :id\
            """,
            tenant,
            id)
        .bind("workflow", waiter.workflowId())
        .bind("activity", waiter.activityId())
        .execute();
  }

  void setCancel(String tenant, String id, String cancel) {
    byId(
            "UPDATE command SET cancelled_by = :cancel WHERE tenant = :tenant AND id = :id",
            tenant,
            id)
        .bind("cancel", cancel)
        .execute();
  }

  Update byId(String sql, String tenant, String id) {
    return handle.createUpdate(sql).bind("tenant", tenant).bind("id", id);
  }

  private static <S extends SqlStatement<S>> S keyed(S statement, CommandKey key) {
    return statement
        .bind("tenant", key.tenant())
        .bind("upgrade", key.upgrade())
        .bind("host", key.host().value())
        .bind("step", Words.write(key.step()))
        .bind("generation", key.generation());
  }

  static CommandKey readKey(Columns row) throws SQLException {
    return new CommandKey(
        row.text("tenant"),
        row.text("upgrade"),
        new HostId(row.text("host")),
        row.word("step", Step.class),
        row.count("generation"));
  }

  static CommandTimes readTimes(Columns row) throws SQLException {
    return new CommandTimes(
        row.time("minted_at"),
        row.maybeTime("published_at"),
        row.count("sends"),
        row.maybeTime("accepted_at"),
        row.maybeTime("settled_at"));
  }

  private static CommandRow read(Columns row) throws SQLException {
    return new CommandRow(
        readKey(row),
        row.text("id"),
        row.number("epoch"),
        readWritten(row, "id", "body", "signature"),
        readWaiter(row),
        readWritten(row, "cancelled_by", "cancel_body", "cancel_signature"),
        row.maybeText("outcome"),
        row.maybeText("progress"),
        newest(row.maybeNumber("slot"), row.maybeNumber("cancel_slot")),
        readTimes(row));
  }

  private static Optional<Written> readWritten(
      Columns row, String id, String body, String signature) throws SQLException {
    return row.maybeText(body).isEmpty()
        ? Optional.empty()
        : Optional.of(new Written(row.text(id), row.text(body), row.text(signature)));
  }

  private static Optional<Waiter> readWaiter(Columns row) throws SQLException {
    return row.maybeText("waiter_workflow").isEmpty()
        ? Optional.empty()
        : Optional.of(new Waiter(row.text("waiter_workflow"), row.text("waiter_activity")));
  }

  private static OptionalLong newest(OptionalLong one, OptionalLong other) {
    return LongStream.concat(one.stream(), other.stream()).max();
  }
}
