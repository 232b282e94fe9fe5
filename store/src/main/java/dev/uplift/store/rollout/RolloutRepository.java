package dev.uplift.store.rollout;

import dev.uplift.fleet.RolloutId;
import dev.uplift.fleet.rollout.RolloutOutcome;
import dev.uplift.fleet.rollout.RolloutState;
import dev.uplift.fleet.rollout.WaitReason;
import dev.uplift.store.Cursor;
import dev.uplift.store.Database;
import dev.uplift.store.EnumCodec;
import dev.uplift.store.NoSuchTenant;
import dev.uplift.store.Page;
import dev.uplift.store.PageRequest;
import dev.uplift.store.PagedQuery;
import dev.uplift.store.RowReader;
import dev.uplift.store.rollout.RolloutMembership.ExcludedDevice;
import dev.uplift.store.rollout.RolloutMembership.NewWave;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;

/// The table `rollout`, and who was left out of one. Who decides about a rollout, or steers it,
/// locks its row first and does the rest in the same transaction: [Database#inTransaction] and [#lock].
/// So what was read holds, and of two that decide at once the second sees what the first did.
public final class RolloutRepository {
  private static final Instant END_OF_TIME = Instant.parse("9999-01-01T00:00:00Z");

  private final Database database;
  private final InstantSource clock;

  public RolloutRepository(Database database, InstantSource clock) {
    this.database = database;
    this.clock = clock;
  }

  /// The rollout stands in the records, still without members: [#freeze]. Safe to repeat: the first
  /// call writes, each returns the row as it stands. An id that was used for something else returns
  /// that row unchanged: compare.
  ///
  /// @throws NoSuchTenant if there is none for it
  public RolloutRow create(NewRollout rollout) {
    return database.withHandle(handle -> {
      var table = new RolloutStatements(handle);
      return table
          .find(rollout.id())
          .orElseGet(() -> {
            table.insert(rollout, clock.instant());
            return table.find(rollout.id()).orElseThrow();
          });
    });
  }

  /// [#create] and [#freeze] at once: the rollout is there with all its devices, or not at all.
  public RolloutRow create(NewRollout rollout, RolloutMembership members) {
    return database.inTransaction(() -> {
      RolloutRow row = create(rollout);
      freeze(rollout.id(), members);
      return row.isFrozen() ? row : find(rollout.id()).orElseThrow();
    });
  }

  /// Who takes part is written down, all of it or nothing. Only the first call writes; returns
  /// whether it was this one.
  ///
  /// @param members at least one wave
  public boolean freeze(RolloutId id, RolloutMembership members) {
    return database.withHandle(handle -> {
      var table = new RolloutStatements(handle);
      Optional<RolloutRow> open = table.lock(id).filter(row -> !row.isFrozen());
      if (open.isEmpty()) {
        return false;
      }
      table.insertWaves(id, members.waves());
      for (NewWave wave : members.waves()) {
        table.insertTargets(id, wave.number(), 0, wave.devices());
      }
      table.insertExcluded(id, members.excluded());
      table.update(id, "revision = revision + 1, wave_count = " + members.waves().size());
      return true;
    });
  }

  /// The draft is as `draft` says, but for its state and who wrote it when. Empty if it is no draft
  /// any more.
  public Optional<RolloutRow> updateDraft(NewRollout draft) {
    return database.withHandle(handle -> {
      var table = new RolloutStatements(handle);
      return table.updateDraft(draft) > 0 ? table.find(draft.id()) : Optional.empty();
    });
  }

  /// The draft is gone. Returns whether it was there and a draft.
  public boolean deleteDraft(RolloutId id) {
    return database.withHandle(handle ->
        RolloutStatements.bind(
                    handle.createUpdate(
                        """
                        DELETE FROM rollout
                        WHERE tenant = :tenant AND id = :rollout AND state = 'draft'\
                        """),
                    id)
                .execute()
            > 0);
  }

  public Optional<RolloutRow> find(RolloutId id) {
    return database.withHandle(handle -> new RolloutStatements(handle).find(id));
  }

  /// The row, which nobody else locks, and so nobody else changes, until the end of the
  /// transaction. Waits for who has it.
  ///
  /// @throws IllegalStateException outside of [Database#inTransaction]
  public Optional<RolloutRow> lock(RolloutId id) {
    return database.withHandleInTransaction(handle -> new RolloutStatements(handle).lock(id));
  }

  /// Who asks how full the groups of a tenant are does so alone, until the end of the transaction:
  /// else two rollouts, each under its own lock, would both give the last place away.
  public void lockGroups(String tenant) {
    var _ =
        database.withHandleInTransaction(handle ->
            handle
                .createQuery("SELECT name FROM tenant WHERE name = :tenant FOR UPDATE")
                .bind("tenant", tenant)
                .mapTo(String.class)
                .list());
  }

  /// Newest first.
  public Page<RolloutRow> list(String tenant, RolloutFilter filter, PageRequest page) {
    Optional<Cursor> cursor = Cursor.of(page, 2);
    PagedQuery pagedQuery =
        new PagedQuery(
                "tenant, created_at DESC, id DESC", "SELECT * FROM rollout WHERE tenant = :tenant")
            .bind("tenant", tenant)
            .andEquals("state", filter.state().map(EnumCodec::encode))
            .andEquals("package", filter.packageName())
            .andEquals("version", filter.version())
            .and("created_at <= :at AND (created_at < :at OR id < :before)")
            .bind("at", cursor.map(end -> end.instant(0)).orElse(END_OF_TIME))
            .bind("before", cursor.map(end -> end.part(1)).orElse(""));
    List<RolloutRow> rows = database.withHandle(handle -> pagedQuery.fetch(handle, page, RolloutStatements.ROW));
    return Cursor.toPage(
        rows,
        page,
        row -> Cursor.encode(Long.toString(row.createdAt().toEpochMilli()), row.id().name()));
  }

  /// Those of all tenants that a workflow is about: neither drafts nor ended.
  public List<RolloutRow> findOpen() {
    return database.withHandle(handle ->
        handle
            .createQuery(
                """
                SELECT * FROM rollout WHERE state IN ('planned', 'running', 'waiting-approval',
                  'paused', 'rolling-back', 'aborting')
                ORDER BY tenant, id\
                """)
            .map(RolloutStatements.ROW)
            .list());
  }

  /// The open ones in which a device may be touched yet, by name: those to tell when its windows,
  /// its hold or its labels have changed.
  public List<RolloutId> findOpenWithWaitingDevice(String tenant, String device) {
    return database.withHandle(handle ->
        handle
            .createQuery(
                """
                SELECT r.id FROM rollout_target t
                JOIN rollout r ON r.tenant = t.tenant AND r.id = t.rollout
                WHERE t.tenant = :tenant AND t.device = :device
                  AND (t.state = 'pending' OR t.prepare_ahead) AND r.state NOT IN ('draft', 'ended')
                ORDER BY r.id\
                """)
            .bind("tenant", tenant)
            .bind("device", device)
            .mapTo(String.class)
            .map(name -> new RolloutId(tenant, name))
            .list());
  }

  /// Other rules from now on. The next pass reads them.
  public RolloutRow setRules(RolloutId id, String rules) {
    return change(id, table -> table.setText(id, "rules", rules));
  }

  /// What somebody said holds from now on: who has locked the row next, sees it.
  public RolloutRow setControl(RolloutId id, String control) {
    return change(id, table -> table.setText(id, "control", control));
  }

  /// What is known by now is not judged any more, as after a resume.
  public RolloutRow resetFailureCounts(RolloutId id) {
    return change(id, table -> table.update(id, "baseline_result_number = last_result_number"));
  }

  /// The wave begins; those before it are done, and verdicts from now on are judged.
  public RolloutRow startWave(RolloutId id, int wave) {
    return database.withHandle(handle -> {
      new RolloutWaveRepository(database, clock).start(handle, id, wave);
      RolloutStatements.bind(
              handle.createUpdate(
                  """
                  UPDATE rollout SET current_wave = :wave, baseline_result_number = last_result_number,
                    started_at = COALESCE(started_at, :now)
                  WHERE tenant = :tenant AND id = :rollout\
                  """),
              id)
          .bind("wave", wave)
          .bind("now", clock.instant())
          .execute();
      return new RolloutStatements(handle).find(id).orElseThrow();
    });
  }

  /// Where it is, and what it waits for if that is all it does. Writes nothing if it is so already;
  /// the beginning of a wait stays as long as it waits for the same.
  ///
  /// @param what empty: it works
  public RolloutRow setState(
      RolloutId id,
      RolloutState state,
      Optional<WaitReason> what,
      String sentence,
      Optional<Instant> until) {
    return database.withHandle(handle -> {
      var table = new RolloutStatements(handle);
      RolloutRow row = table.find(id).orElseThrow();
      Optional<RolloutWait> wait =
          what.map(word ->
              new RolloutWait(
                  word,
                  sentence,
                  row.waiting()
                      .filter(before -> before.reason() == word)
                      .map(RolloutWait::since)
                      .orElseGet(this::now),
                  until.map(time -> time.truncatedTo(ChronoUnit.MILLIS))));
      if (row.state() == state && Objects.equals(row.waiting(), wait)) {
        return row;
      }
      table.setState(id, state, wait);
      return table.find(id).orElseThrow();
    });
  }

  /// It has ended. The first end stays.
  public RolloutRow end(RolloutId id, RolloutOutcome outcome) {
    return database.withHandle(handle -> {
      var table = new RolloutStatements(handle);
      if (table.lock(id).orElseThrow().endedAt().isEmpty()) {
        table.end(id, outcome, clock.instant());
      }
      return table.find(id).orElseThrow();
    });
  }

  /// Who was selected and takes no part, by name.
  public Page<ExcludedDevice> listExcluded(RolloutId id, PageRequest page) {
    PagedQuery pagedQuery =
        new PagedQuery(
                "tenant, rollout, device",
                """
                SELECT * FROM rollout_exclusion
                WHERE tenant = :tenant AND rollout = :rollout AND device > :after\
                """)
            .bind("tenant", id.tenant())
            .bind("rollout", id.name())
            .bind("after", Cursor.of(page, 1).map(cursor -> cursor.part(0)).orElse(""));
    List<ExcludedDevice> rows =
        database.withHandle(handle ->
            pagedQuery.fetch(
                handle,
                page,
                RowReader.mapper(row ->
                    new ExcludedDevice(row.text("device"), row.text("reason"), row.text("detail")))));
    return Cursor.toPage(rows, page, one -> Cursor.encode(one.device()));
  }

  private RolloutRow change(RolloutId id, Consumer<RolloutStatements> change) {
    return database.withHandle(handle -> {
      var table = new RolloutStatements(handle);
      change.accept(table);
      return table.find(id).orElseThrow();
    });
  }

  private Instant now() {
    return clock.instant().truncatedTo(ChronoUnit.MILLIS);
  }
}
