package dev.uplift.store.rollout;

import dev.uplift.fleet.RolloutId;
import dev.uplift.fleet.rollout.RolloutOutcome;
import dev.uplift.fleet.rollout.RolloutState;
import dev.uplift.fleet.rollout.WaitReason;
import dev.uplift.store.Cursor;
import dev.uplift.store.Database;
import dev.uplift.store.EnumCodec;
import dev.uplift.store.LineCodec;
import dev.uplift.store.NoSuchTenant;
import dev.uplift.store.Page;
import dev.uplift.store.PageRequest;
import dev.uplift.store.RequiresTransaction;
import dev.uplift.store.StoreClock;
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

/// The table `rollout`. A transaction that decides about a rollout, or controls it, locks its row first and does the
/// rest afterwards: [Database#inTransaction] and [#lock]. So what it reads holds, and of two that decide at once the
/// second sees what the first did.
@JdbcRepository(dialect = Dialect.POSTGRES)
@Transacted
public abstract class RolloutRepository implements GenericRepository<RolloutRow, String> {
  /// The states, for statements, of rollouts that have a workflow: neither drafts nor ended.
  public static final String OPEN_STATES =
      "('planned', 'running', 'waiting-approval', 'paused', 'rolling-back', 'aborting')";

  private static final String KEY = " WHERE tenant = :tenant AND id = :id";

  private final Database database;
  private final StoreClock clock;
  private final RolloutWaveRepository waves;
  private final RolloutTargetRepository targets;
  private final RolloutExclusionRepository exclusions;
  private final TenantEventRepository events;

  protected RolloutRepository(
      Database database,
      StoreClock clock,
      RolloutWaveRepository waves,
      RolloutTargetRepository targets,
      RolloutExclusionRepository exclusions,
      TenantEventRepository events) {
    this.database = database;
    this.clock = clock;
    this.waves = waves;
    this.targets = targets;
    this.exclusions = exclusions;
    this.events = events;
  }

  /// Records the rollout, still without members: [#freeze]. Safe to repeat: the first call writes, each returns the row
  /// as it stands. An id that was used for something else returns that row unchanged: compare.
  ///
  /// @throws NoSuchTenant if its tenant does not exist
  public RolloutRow create(NewRollout rollout) {
    return find(rollout.id()).orElseGet(() -> createIfAbsent(rollout).orElseGet(() -> existing(rollout.id())));
  }

  /// As [#create(NewRollout)]; empty if the id is taken. Of several calls at once, one creates it.
  public Optional<RolloutRow> createIfAbsent(NewRollout rollout) {
    int inserted =
        insertIfAbsent(
            rollout.id().tenant(),
            rollout.id().name(),
            rollout.title(),
            rollout.release().packageName(),
            rollout.release().version(),
            rollout.plan(),
            rollout.rules(),
            rollout.control(),
            rollout.state(),
            rollout.priority(),
            rollout.createdBy(),
            clock.now(),
            rollout.startAt());
    return inserted > 0 ? find(rollout.id()) : Optional.empty();
  }

  /// [#createIfAbsent(NewRollout)] and [#freeze] at once: the rollout is there with all its devices, or not at all.
  public Optional<RolloutRow> createIfAbsent(NewRollout rollout, RolloutMembership members) {
    return createIfAbsent(rollout).filter(row -> freeze(row.id(), members)).map(row -> existing(row.id()));
  }

  /// [#create(NewRollout)] and [#freeze] at once: the rollout is there with all its devices, or not at all.
  public RolloutRow create(NewRollout rollout, RolloutMembership members) {
    RolloutRow row = create(rollout);
    freeze(rollout.id(), members);
    return row.isFrozen() ? row : existing(rollout.id());
  }

  /// Records the members, all of them or none. Only the first call writes; returns whether it was this one.
  ///
  /// @param members at least one wave
  public boolean freeze(RolloutId id, RolloutMembership members) {
    if (lock(id.tenant(), id.name()).filter(row -> row.waveCount() == 0).isEmpty()) {
      return false;
    }
    waves.saveAll(members.waves().stream().map(wave -> WaveRow.pending(id, wave)).toList());
    members.waves().forEach(wave -> targets.insertPending(id, wave.number(), 0, wave.devices()));
    exclusions.saveAll(
        members.excluded().stream().map(one -> RolloutExclusionRepository.Exclusion.of(id, one)).toList());
    setWaveCount(id.tenant(), id.name(), members.waves().size());
    return true;
  }

  /// Makes the draft as `draft` says, except for its state, author and time. Empty if it is no draft any more.
  public Optional<RolloutRow> updateDraft(NewRollout draft) {
    int updated =
        updateDraft(
            draft.id().tenant(),
            draft.id().name(),
            draft.title(),
            draft.release().packageName(),
            draft.release().version(),
            draft.plan(),
            draft.rules(),
            draft.control(),
            draft.priority(),
            draft.startAt());
    return updated > 0 ? find(draft.id()) : Optional.empty();
  }

  /// Records that this person has changed or started the rollout. To be called under its lock.
  public void addAuthor(RolloutId id, String person) {
    RolloutRow row = existing(id);
    if (!row.isAuthor(person)) {
      updateAuthors(id.tenant(), id.name(), row.authors() + LineCodec.encode(List.of(person)));
    }
  }

  /// Deletes the draft. Returns whether it was there and a draft.
  public boolean deleteDraft(RolloutId id) {
    return deleteDraft(id.tenant(), id.name()) > 0;
  }

  public Optional<RolloutRow> find(RolloutId id) {
    return findByTenantAndName(id.tenant(), id.name());
  }

  private RolloutRow existing(RolloutId id) {
    return find(id).orElseThrow();
  }

  /// Locks the row until the end of the transaction: no other one locks, and so changes, it meanwhile. Waits for a
  /// transaction that has it.
  ///
  /// @throws IllegalStateException outside of [Database#inTransaction]
  @RequiresTransaction
  public Optional<RolloutRow> lock(RolloutId id) {
    return lock(id.tenant(), id.name());
  }

  /// Locks the row until the end of the transaction against [#lock], not against itself: what an operator or a pass has
  /// decided holds meanwhile, and any number of upgrades begin at once. On H2 it is [#lock]: H2 has no such lock.
  ///
  /// A transaction that has it does not ask for [#lock], nor changes the row: two of them would wait for each other.
  ///
  /// @throws IllegalStateException outside of [Database#inTransaction]
  @RequiresTransaction
  public Optional<RolloutRow> lockShared(RolloutId id) {
    return database.isShared() ? lockShared(id.tenant(), id.name()) : lock(id);
  }

  /// Newest first.
  public Page<RolloutRow> list(String tenant, RolloutFilter filter, PageRequest page) {
    Optional<Cursor> cursor = Cursor.of(page, 2);
    return Cursor.toPage(
        listBefore(
            tenant,
            filter.state().map(EnumCodec::encode).orElse(""),
            filter.packageName().orElse(""),
            filter.version().orElse(""),
            cursor.map(end -> end.instant(0)).orElse(StoreClock.END_OF_TIME),
            cursor.map(end -> end.part(1)).orElse(""),
            page.limit() + 1),
        page,
        row -> Cursor.encode(Long.toString(row.createdAt().toEpochMilli()), row.id().name()));
  }

  /// Those of all tenants that have a workflow: neither drafts nor ended.
  @Query("SELECT * FROM rollout WHERE state IN " + OPEN_STATES + " ORDER BY tenant, id")
  public abstract List<RolloutRow> findOpen();

  /// The other rollouts of the tenant that run.
  List<RolloutRow> findOtherRunning(RolloutId id) {
    return listOtherRunning(id.tenant(), id.name());
  }

  /// Replaces the rules. The next pass reads them.
  public RolloutRow setRules(RolloutId id, String rules) {
    updateRules(id.tenant(), id.name(), rules);
    return existing(id);
  }

  /// Replaces the control: every transaction that locks the row afterwards sees it.
  public RolloutRow setControl(RolloutId id, String control) {
    updateControl(id.tenant(), id.name(), control);
    return existing(id);
  }

  /// Makes results that are known by now count no more, as after a resume.
  public RolloutRow resetFailureCounts(RolloutId id) {
    resetBaseline(id.tenant(), id.name());
    return existing(id);
  }

  /// Starts the wave; those before it are completed, and results from now on count.
  public RolloutRow startWave(RolloutId id, int wave) {
    waves.start(id, wave);
    setCurrentWave(id.tenant(), id.name(), wave, clock.now());
    RolloutRow row = existing(id);
    events.appendWaveStarted(id, row.release(), wave);
    return row;
  }

  /// Records the state, and what the rollout waits for if that is all it does. Writes nothing if it is so already; the
  /// start of a wait stays as long as it waits for the same.
  ///
  /// @param reason empty: it works
  public RolloutRow setState(
      RolloutId id, RolloutState state, Optional<WaitReason> reason, String message, Optional<Instant> until) {
    RolloutRow row = existing(id);
    Optional<RolloutWait> wait =
        reason.map(word ->
            new RolloutWait(
                word,
                message,
                row.waiting().filter(before -> before.reason() == word).map(RolloutWait::since).orElseGet(clock::now),
                until.map(time -> time.truncatedTo(ChronoUnit.MILLIS))));
    if (row.state() == state && row.waiting().equals(wait)) {
      return row;
    }
    updateState(
        id.tenant(),
        id.name(),
        state,
        reason,
        wait.map(RolloutWait::message),
        wait.map(RolloutWait::since).orElse(null),
        wait.flatMap(RolloutWait::until));
    if (row.state() != state) {
      eventOf(row.state(), state)
          .ifPresent(kind -> events.append(id, row.release(), kind, EnumCodec.encode(state), message, until));
    }
    return existing(id);
  }

  /// Waits that end by themselves come and go with every device, and are no events.
  private static Optional<TenantEventKind> eventOf(RolloutState before, RolloutState now) {
    return switch (now) {
      case WAITING_APPROVAL, PAUSED -> Optional.of(TenantEventKind.ROLLOUT_WAITING);
      case ROLLING_BACK -> Optional.of(TenantEventKind.ROLLOUT_ROLLING_BACK);
      case ABORTING -> Optional.of(TenantEventKind.ROLLOUT_ABORTING);
      case RUNNING ->
          before == RolloutState.DRAFT || before == RolloutState.PLANNED
              ? Optional.empty()
              : Optional.of(TenantEventKind.ROLLOUT_CONTINUED);
      case DRAFT, PLANNED, ENDED -> Optional.empty();
    };
  }

  /// Records the end of the rollout. The first end stays.
  public RolloutRow end(RolloutId id, RolloutOutcome outcome) {
    int ended = updateEnd(id.tenant(), id.name(), Optional.of(outcome), clock.now());
    RolloutRow row = existing(id);
    if (ended == 1) {
      events.append(id, row.release(), TenantEventKind.ROLLOUT_ENDED, EnumCodec.encode(outcome), "", Optional.empty());
    }
    return row;
  }

  abstract Optional<RolloutRow> findByTenantAndName(String tenant, String name);

  @Query("SELECT * FROM rollout" + KEY + " FOR UPDATE")
  abstract Optional<RolloutRow> lock(String tenant, String id);

  @Query("SELECT * FROM rollout" + KEY + " FOR SHARE")
  abstract Optional<RolloutRow> lockShared(String tenant, String id);

  @Query(
      """
      INSERT INTO rollout (tenant, id, title, package, version, plan, rules, control, state, priority,
        created_by, created_at, start_at)
      VALUES (:tenant, :id, :title, :packageName, :version, :plan, :rules, :control, :state,
        :priority, :createdBy, :now, :startAt)
      ON CONFLICT DO NOTHING\
      """)
  abstract int insertIfAbsent(
      String tenant,
      String id,
      String title,
      String packageName,
      String version,
      String plan,
      String rules,
      String control,
      RolloutState state,
      int priority,
      String createdBy,
      Instant now,
      Optional<Instant> startAt);

  @Query(
      """
      UPDATE rollout SET title = :title, package = :packageName, version = :version, plan = :plan,
        rules = :rules, control = :control, priority = :priority, start_at = :startAt,
        revision = revision + 1\
      """
          + KEY
          + " AND state = 'draft'")
  abstract int updateDraft(
      String tenant,
      String id,
      String title,
      String packageName,
      String version,
      String plan,
      String rules,
      String control,
      int priority,
      Optional<Instant> startAt);

  @Query("UPDATE rollout SET authors = :authors" + KEY)
  abstract int updateAuthors(String tenant, String id, String authors);

  @Query("DELETE FROM rollout" + KEY + " AND state = 'draft'")
  abstract int deleteDraft(String tenant, String id);

  @Query("UPDATE rollout SET revision = revision + 1, wave_count = :count" + KEY)
  abstract int setWaveCount(String tenant, String id, int count);

  @Query("UPDATE rollout SET rules = :rules, revision = revision + 1" + KEY)
  abstract int updateRules(String tenant, String id, String rules);

  @Query("UPDATE rollout SET control = :control, revision = revision + 1" + KEY)
  abstract int updateControl(String tenant, String id, String control);

  @Query("UPDATE rollout SET baseline_result_number = last_result_number" + KEY)
  abstract int resetBaseline(String tenant, String id);

  @Query(
      """
      UPDATE rollout SET current_wave = :wave, baseline_result_number = last_result_number,
        started_at = COALESCE(started_at, :now)\
      """
          + KEY)
  abstract int setCurrentWave(String tenant, String id, int wave, Instant now);

  @Query(
      """
      UPDATE rollout SET state = :state, wait_reason = :waitReason, wait_message = :waitMessage,
        wait_since = :since, wait_until = :waitUntil\
      """
          + KEY)
  abstract int updateState(
      String tenant,
      String id,
      RolloutState state,
      Optional<WaitReason> waitReason,
      Optional<String> waitMessage,
      @Nullable Instant since,
      Optional<Instant> waitUntil);

  @Query(
      """
      UPDATE rollout SET state = 'ended', outcome = :outcome, ended_at = :now, wait_reason = NULL,
        wait_message = NULL, wait_since = NULL, wait_until = NULL\
      """
          + KEY
          + " AND ended_at IS NULL")
  abstract int updateEnd(String tenant, String id, Optional<RolloutOutcome> outcome, Instant now);

  @Query(
      """
      SELECT * FROM rollout WHERE tenant = :tenant AND (:state = '' OR state = :state)
        AND (:packageName = '' OR package = :packageName)
        AND (:version = '' OR version = :version)
        AND created_at <= :at AND (created_at < :at OR id < :before)
      ORDER BY tenant, created_at DESC, id DESC LIMIT :limit\
      """)
  abstract List<RolloutRow> listBefore(
      String tenant, String state, String packageName, String version, Instant at, String before, int limit);

  @Query("SELECT * FROM rollout WHERE state = 'running' AND tenant = :tenant AND id <> :id")
  abstract List<RolloutRow> listOtherRunning(String tenant, String id);
}
