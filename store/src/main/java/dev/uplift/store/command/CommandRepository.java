package dev.uplift.store.command;

import static java.util.stream.Collectors.groupingBy;

import dev.uplift.fleet.HostId;
import dev.uplift.fleet.Outcome;
import dev.uplift.fleet.Release;
import dev.uplift.fleet.Step;
import dev.uplift.store.EnumCodec;
import dev.uplift.store.NoSuchTenant;
import dev.uplift.store.StoreClock;
import dev.uplift.store.Transacted;
import dev.uplift.store.command.TimelineEntry.LateOutcome;
import io.micronaut.data.annotation.Query;
import io.micronaut.data.jdbc.annotation.JdbcRepository;
import io.micronaut.data.model.query.builder.sql.Dialect;
import io.micronaut.data.repository.GenericRepository;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// The tables `command`, `late_outcome` and `host_epoch`: a command is created once per [CommandKey], however many
/// servers ask, however often. A row is never removed; its command, its cancel and its outcome never change once they
/// are written.
@JdbcRepository(dialect = Dialect.POSTGRES)
@Transacted
public abstract class CommandRepository implements GenericRepository<CommandRow, String> {
  private static final int MAX_LATE_OUTCOMES = 16;

  /// How far ahead of the time an epoch may be.
  private static final Duration MAX_EPOCH_LEAD = Duration.ofDays(1);

  private static final String SELECT =
      """
      SELECT command.*, cancel.body AS cancel_body, cancel.signature AS cancel_signature,
        cancel.stream_sequence AS cancel_stream_sequence
      FROM command LEFT JOIN command cancel
        ON cancel.tenant = command.tenant AND cancel.id = command.cancelled_by
      WHERE command.tenant = :tenant AND\
      """;

  private static final String KEY = " WHERE tenant = :tenant AND id = :id";

  private final StoreClock clock;
  private final CommandReportStatement reportStatement;
  private final CommandOutcomeStatement outcomeStatement;

  protected CommandRepository(
      StoreClock clock, CommandReportStatement reportStatement, CommandOutcomeStatement outcomeStatement) {
    this.clock = clock;
    this.reportStatement = reportStatement;
    this.outcomeStatement = outcomeStatement;
  }

  /// Returns the command for `key`: the first call creates it, every later one returns the same. From now on `waiter`
  /// waits for its outcome. A command that was withdrawn is not created any more.
  ///
  /// @param release what is recorded of it is in the [CommandBasis]
  /// @throws NoSuchTenant if the tenant does not exist
  /// @throws UpgradeEnded if it would have to be created and its upgrade has ended
  public CommandRow createIfAbsent(CommandKey key, Release release, WaitingActivity waiter, CommandEncoder encoder) {
    return createIfAbsent(key, Optional.of(release), Optional.of(waiter), encoder);
  }

  /// As above, for a command of no release, whose outcome no activity waits for; its creator looks for it in the table.
  public CommandRow createIfAbsent(CommandKey key, CommandEncoder encoder) {
    return createIfAbsent(key, Optional.empty(), Optional.empty(), encoder);
  }

  private CommandRow createIfAbsent(
      CommandKey key, Optional<Release> release, Optional<WaitingActivity> waiter, CommandEncoder encoder) {
    Instant now = clock.now();
    advanceEpoch(key, now);
    CreationState state =
        findCreationState(
                key.tenant(),
                key.upgrade(),
                key.host(),
                key.step(),
                key.generation(),
                release.map(Release::packageName).orElse(""),
                release.map(Release::version).orElse(""))
            .orElseThrow();
    if (state.command() != null) {
      return waiter.isPresent() ? setWaiter(key, waiter.get()) : find(key).orElseThrow();
    }
    if (state.outcome() != null) {
      throw new UpgradeEnded(key.upgrade(), EnumCodec.decode(Outcome.class, state.outcome()));
    }
    SignedCommand command =
        encoder.encode(
            new CommandBasis(UUID.randomUUID().toString(), state.epoch(), now, state.rootVersion(), state.release()));
    insert(key, command.id(), state.epoch(), command, waiter.orElse(null), now, null);
    return CommandRow.created(key, state.epoch(), command, waiter, now);
  }

  private CommandRow setWaiter(CommandKey key, WaitingActivity waiter) {
    CommandRow row = find(key).orElseThrow();
    if (row.waiter().equals(Optional.of(waiter))) {
      return row;
    }
    setWaiter(key.tenant(), row.id(), waiter.workflowId(), waiter.activityId());
    return find(key).orElseThrow();
  }

  /// Raises the last epoch of the host, as [#nextEpoch] does, and locks it: no other transaction creates a command to
  /// the host meanwhile. An epoch that no command has is no harm.
  private void advanceEpoch(CommandKey key, Instant now) {
    if (advanceEpoch(key.tenant(), key.host(), now.toEpochMilli()) == 0) {
      insertEpochIfAbsent(key.tenant(), key.host());
      advanceEpoch(key.tenant(), key.host(), now.toEpochMilli());
    }
  }

  /// Cancels the command: it is never sent again, and the cancel that `encoder` writes takes its place. Safe to repeat:
  /// there is one cancel. A command that was not created yet is withdrawn.
  ///
  /// Returns the row of the cancel, a command of its own with the step `cancel`; empty if there is nothing to send,
  /// because the command is withdrawn or has its outcome.
  ///
  /// @throws NoSuchTenant if the tenant does not exist
  public Optional<CommandRow> cancel(CommandKey command, CancelEncoder encoder) {
    long lastEpoch = lockEpoch(command);
    Optional<CommandRow> row = find(command);
    if (row.isEmpty()) {
      insert(command, UUID.randomUUID().toString(), 0, null, null, clock.now(), clock.now());
      return Optional.empty();
    }
    CommandRow found = row.get();
    if (found.isWithdrawn() || found.outcome().isPresent()) {
      return Optional.empty();
    }
    String cancel = found.cancel().map(SignedCommand::id).orElseGet(() -> createCancel(found, lastEpoch, encoder));
    return findById(command.tenant(), cancel);
  }

  private String createCancel(CommandRow row, long lastEpoch, CancelEncoder encoder) {
    CommandKey command = row.key();
    int generation = 1 + highestGeneration(command.tenant(), command.upgrade(), command.host(), Step.CANCEL);
    var key = new CommandKey(command.tenant(), command.upgrade(), command.host(), Step.CANCEL, generation);
    Instant now = clock.now();
    long epoch = nextEpoch(key, lastEpoch, now);
    var basis =
        new CommandBasis(
            UUID.randomUUID().toString(), epoch, now, newestRootVersion(command.tenant()), Optional.empty());
    SignedCommand cancel = encoder.encode(basis, row.id());
    insert(key, cancel.id(), epoch, cancel, null, now, null);
    setCancel(command.tenant(), row.id(), cancel.id());
    return cancel.id();
  }

  /// Locks the last epoch of the host: no other transaction creates a command to it meanwhile.
  private long lockEpoch(CommandKey key) {
    return lockEpoch(key.tenant(), key.host())
        .orElseGet(() -> {
          insertEpochIfAbsent(key.tenant(), key.host());
          return lockEpoch(key.tenant(), key.host()).orElseThrow();
        });
  }

  /// Rises even if the clock is set back, and if the table was restored from an older copy.
  private long nextEpoch(CommandKey key, long last, Instant now) {
    long epoch = Math.max(last + 1, now.toEpochMilli());
    setEpoch(key.tenant(), key.host(), epoch);
    return epoch;
  }

  /// Has the next command to the host be above an epoch that the host has seen. One more than a day ahead is ignored,
  /// as hosts ignore it: no server has sent it.
  public void raiseEpoch(String tenant, HostId host, long seen) {
    if (seen <= clock.now().plus(MAX_EPOCH_LEAD).toEpochMilli()
        && lockEpoch(tenant, host).filter(last -> last < seen).isPresent()) {
      setEpoch(tenant, host, seen);
    }
  }

  private void insert(
      CommandKey key,
      String id,
      long epoch,
      @Nullable SignedCommand command,
      @Nullable WaitingActivity waiter,
      Instant now,
      @Nullable Instant closedAt) {
    insert(
        key.tenant(),
        id,
        key.upgrade(),
        key.host(),
        key.step(),
        key.generation(),
        epoch,
        Optional.ofNullable(command).map(SignedCommand::body),
        command == null ? null : command.signature(),
        Optional.ofNullable(waiter).map(WaitingActivity::workflowId),
        waiter == null ? null : waiter.activityId(),
        now,
        closedAt);
  }

  /// Records what has become known of commands, many in one statement, in the order given. Nothing happens for a
  /// command that does not exist or is to another host. Of a command that has its outcome only the first time of
  /// acceptance is still recorded: the outcome says that it was published, and what the agent did is over. Safe to
  /// repeat, but for the number of publications.
  public void record(List<CommandReport> reports) {
    reportStatement.execute(reports);
  }

  /// The commands to this host that have no outcome yet and are not withdrawn, including cancels.
  @Query(SELECT + " command.host = :host AND command.closed_at IS NULL")
  public abstract List<CommandRow> findOpen(String tenant, HostId host);

  public Optional<CommandRow> find(CommandKey key) {
    return findByKey(key.tenant(), key.upgrade(), key.host(), key.step(), key.generation());
  }

  /// The command of this id to this host; a host cannot answer for another.
  @Query(SELECT + " command.id = :id AND command.host = :host")
  public abstract Optional<CommandRow> find(String tenant, HostId host, String id);

  /// Records the outcome: the first one stays, a later and different one is kept beside it (sixteen of them at most).
  /// Empty if there is no such command. Safe to repeat: a caller that passes the outcome on passes on that of the row,
  /// whether it was the first or not.
  ///
  /// @param outcome exactly as the agent reported it, without its log
  /// @param log the end of the log that came with it; may be empty
  public Optional<OutcomeRecorded> recordOutcome(String tenant, HostId host, String id, String outcome, String log) {
    Optional<String> kept = Optional.of(log).filter(text -> !text.isEmpty());
    Optional<CommandRow> first = outcomeStatement.execute(tenant, host, id, outcome, kept, clock.now());
    if (first.isPresent() && first.get().cancelledBy().isEmpty()) {
      return first.map(row -> new OutcomeRecorded(row, true));
    }
    Optional<CommandRow> row = find(tenant, host, id).filter(found -> !found.isWithdrawn());
    if (first.isEmpty() && row.isPresent() && !row.get().outcome().equals(Optional.of(outcome))) {
      recordLateOutcome(tenant, id, outcome, kept);
    }
    return row.map(found -> new OutcomeRecorded(found, first.isPresent()));
  }

  /// As above, without a log.
  public Optional<OutcomeRecorded> recordOutcome(String tenant, HostId host, String id, String outcome) {
    return recordOutcome(tenant, host, id, outcome, "");
  }

  /// Removes the logs of commands that were closed before `before`. Outcomes stay.
  public int deleteLogs(Instant before) {
    return deleteLateLogs(before) + deleteCommandLogs(before);
  }

  private void recordLateOutcome(String tenant, String id, String outcome, Optional<String> log) {
    List<LateOutcome> kept = lateOutcomesOf(tenant, id);
    if (kept.size() < MAX_LATE_OUTCOMES && kept.stream().noneMatch(late -> late.outcome().equals(outcome))) {
      insertLateOutcome(tenant, id, kept.size() + 1, outcome, clock.now(), log);
    }
  }

  /// All commands of an upgrade, in the order in which they were created.
  public List<TimelineEntry> timeline(String tenant, String upgrade) {
    Map<String, List<LateOutcome>> late =
        lateOutcomesOfUpgrade(tenant, upgrade).stream().collect(groupingBy(LateOutcome::command));
    return listOfUpgrade(tenant, upgrade).stream()
        .map(row -> new TimelineEntry(row, late.getOrDefault(row.id(), List.of())))
        .toList();
  }

  /// Writes and signs a cancel; as [CommandEncoder].
  @FunctionalInterface
  public interface CancelEncoder {
    /// Returns the cancel, signed.
    ///
    /// @param cancels id of the command that is to be cancelled
    SignedCommand encode(CommandBasis basis, String cancels);
  }

  @Query("SELECT epoch FROM host_epoch WHERE tenant = :tenant AND host = :host FOR UPDATE")
  abstract Optional<Long> lockEpoch(String tenant, HostId host);

  @Query(
      """
      INSERT INTO host_epoch (tenant, host, epoch) VALUES (:tenant, :host, 0)
      ON CONFLICT DO NOTHING\
      """)
  abstract int insertEpochIfAbsent(String tenant, HostId host);

  @Query("UPDATE host_epoch SET epoch = GREATEST(epoch + 1, :now) WHERE tenant = :tenant AND host = :host")
  abstract int advanceEpoch(String tenant, HostId host, long now);

  @Query(
      """
      SELECT epoch,
        (SELECT id FROM command WHERE command.tenant = last.tenant AND command.upgrade = :upgrade
          AND command.host = last.host AND command.step = :step AND command.generation = :generation)
          AS command,
        (SELECT outcome FROM upgrade WHERE upgrade.tenant = last.tenant AND upgrade.id = :upgrade)
          AS outcome,
        (SELECT COALESCE(MAX(version), 0) FROM trust_root WHERE trust_root.tenant = last.tenant)
          AS root_version,
        release.manifest, release.signature, release.digest
      FROM host_epoch last
      LEFT JOIN release
        ON release.tenant = last.tenant AND release.package = :packageName AND release.version = :version
      WHERE last.tenant = :tenant AND last.host = :host\
      """)
  abstract Optional<CreationState> findCreationState(
      String tenant, String upgrade, HostId host, Step step, int generation, String packageName, String version);

  @Query("SELECT COALESCE(MAX(version), 0) FROM trust_root WHERE tenant = :tenant")
  abstract long newestRootVersion(String tenant);

  @Query("UPDATE host_epoch SET epoch = :epoch WHERE tenant = :tenant AND host = :host")
  abstract int setEpoch(String tenant, HostId host, long epoch);

  @Query(
      SELECT
          + " command.upgrade = :upgrade AND command.host = :host"
          + " AND command.step = :step AND command.generation = :generation")
  abstract Optional<CommandRow> findByKey(String tenant, String upgrade, HostId host, Step step, int generation);

  @Query(SELECT + " command.id = :id")
  abstract Optional<CommandRow> findById(String tenant, String id);

  @Query(
      SELECT
          + """
           command.upgrade = :upgrade
          ORDER BY command.tenant, command.upgrade, command.created_at, command.epoch,
            command.host, command.step, command.generation\
          """)
  abstract List<CommandRow> listOfUpgrade(String tenant, String upgrade);

  @Query(
      """
      SELECT COALESCE(MAX(generation), 0) FROM command WHERE tenant = :tenant
      AND upgrade = :upgrade AND host = :host AND step = :step\
      """)
  abstract int highestGeneration(String tenant, String upgrade, HostId host, Step step);

  @Query(
      """
      INSERT INTO command (tenant, id, upgrade, host, step, generation, epoch, body, signature,
        workflow_id, activity_id, publish_count, created_at, closed_at)
      VALUES (:tenant, :id, :upgrade, :host, :step, :generation, :epoch, :body, :signature,
        :workflowId, :activityId, 0, :now, :closedAt)\
      """)
  abstract int insert(
      String tenant,
      String id,
      String upgrade,
      HostId host,
      Step step,
      int generation,
      long epoch,
      Optional<String> body,
      @Nullable String signature,
      Optional<String> workflowId,
      @Nullable String activityId,
      Instant now,
      @Nullable Instant closedAt);

  @Query("UPDATE command SET workflow_id = :workflowId, activity_id = :activityId" + KEY)
  abstract int setWaiter(String tenant, String id, String workflowId, String activityId);

  @Query("UPDATE command SET cancelled_by = :cancel" + KEY)
  abstract int setCancel(String tenant, String id, String cancel);

  @Query("UPDATE command SET log = NULL WHERE log IS NOT NULL AND closed_at < :before")
  abstract int deleteCommandLogs(Instant before);

  @Query("UPDATE late_outcome SET log = NULL WHERE log IS NOT NULL AND received_at < :before")
  abstract int deleteLateLogs(Instant before);

  @Query(
      """
      SELECT command, outcome, received_at, log FROM late_outcome
      WHERE tenant = :tenant AND command = :command ORDER BY number\
      """)
  abstract List<LateOutcome> lateOutcomesOf(String tenant, String command);

  @Query(
      """
      SELECT late.command, late.outcome, late.received_at, late.log FROM command
      JOIN late_outcome late ON late.tenant = command.tenant AND late.command = command.id
      WHERE command.tenant = :tenant AND command.upgrade = :upgrade
      ORDER BY late.command, late.number\
      """)
  abstract List<LateOutcome> lateOutcomesOfUpgrade(String tenant, String upgrade);

  @Query(
      """
      INSERT INTO late_outcome (tenant, command, number, outcome, received_at, log)
      VALUES (:tenant, :command, :number, :outcome, :now, :log)
      ON CONFLICT DO NOTHING\
      """)
  abstract int insertLateOutcome(
      String tenant, String command, int number, String outcome, Instant now, Optional<String> log);
}
