package dev.uplift.store;

import dev.uplift.fleet.RolloutId;
import dev.uplift.fleet.rollout.RolloutOutcome;
import dev.uplift.fleet.rollout.RolloutState;
import dev.uplift.fleet.rollout.Waiting;
import dev.uplift.store.Membership.LeftOut;
import dev.uplift.store.Membership.NewWave;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;

/// The table `rollout`, and who was left out of one. Who decides about a rollout, or steers it,
/// locks its row first and does the rest in the same transaction: [Database#together] and [#lock].
/// So what was read holds, and of two that decide at once the second sees what the first did.
public final class Rollouts {
  private static final Instant AFTER_ALL = Instant.parse("9999-01-01T00:00:00Z");

  private final Database database;
  private final InstantSource clock;

  public Rollouts(Database database, InstantSource clock) {
    this.database = database;
    this.clock = clock;
  }

  /// The rollout stands in the records, still without members: [#freeze]. Safe to repeat: the first
  /// call writes, each returns the row as it stands. An id that was used for something else returns
  /// that row unchanged: compare.
  ///
  /// @throws NoSuchTenant if there is none for it
  public RolloutRow create(NewRollout rollout) {
    return database.run(handle -> {
      var table = new RolloutTable(handle);
      return table
          .find(rollout.id())
          .orElseGet(() -> {
            table.insert(rollout, clock.instant());
            return table.find(rollout.id()).orElseThrow();
          });
    });
  }

  /// [#create] and [#freeze] at once: the rollout is there with all its devices, or not at all.
  public RolloutRow create(NewRollout rollout, Membership members) {
    return database.together(() -> {
      RolloutRow row = create(rollout);
      freeze(rollout.id(), members);
      return row.isFrozen() ? row : find(rollout.id()).orElseThrow();
    });
  }

  /// Who takes part is written down, all of it or nothing. Only the first call writes; returns
  /// whether it was this one.
  ///
  /// @param members at least one wave
  public boolean freeze(RolloutId id, Membership members) {
    return database.run(handle -> {
      var table = new RolloutTable(handle);
      Optional<RolloutRow> open = table.lock(id).filter(row -> !row.isFrozen());
      if (open.isEmpty()) {
        return false;
      }
      table.insertWaves(id, members.waves());
      for (NewWave wave : members.waves()) {
        table.insertTargets(id, wave.number(), 0, wave.devices());
      }
      table.insertLeftOut(id, members.leftOut());
      table.update(id, "revision = revision + 1, waves = " + members.waves().size());
      return true;
    });
  }

  /// The draft is as `draft` says, but for its state and who wrote it when. Empty if it is no draft
  /// any more.
  public Optional<RolloutRow> redraft(NewRollout draft) {
    return database.run(handle -> {
      var table = new RolloutTable(handle);
      return table.updateDraft(draft) > 0 ? table.find(draft.id()) : Optional.empty();
    });
  }

  /// The draft is gone. Returns whether it was there and a draft.
  public boolean discard(RolloutId id) {
    return database.run(handle ->
        RolloutTable.bind(
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
    return database.run(handle -> new RolloutTable(handle).find(id));
  }

  /// The row, which nobody else locks, and so nobody else changes, until the end of the
  /// transaction. Waits for who has it.
  ///
  /// @throws IllegalStateException outside of [Database#together]
  public Optional<RolloutRow> lock(RolloutId id) {
    return database.within(handle -> new RolloutTable(handle).lock(id));
  }

  /// Who asks how full the groups of a tenant are does so alone, until the end of the transaction:
  /// else two rollouts, each under its own lock, would both give the last place away.
  public void lockGroups(String tenant) {
    var _ =
        database.within(handle ->
            handle
                .createQuery("SELECT name FROM tenant WHERE name = :tenant FOR UPDATE")
                .bind("tenant", tenant)
                .mapTo(String.class)
                .list());
  }

  /// Newest first.
  public Page<RolloutRow> list(String tenant, RolloutFilter filter, PageRequest page) {
    Optional<Cursor> cursor = Cursor.of(page, 2);
    Question question =
        new Question(
                "tenant, created_at DESC, id DESC", "SELECT * FROM rollout WHERE tenant = :tenant")
            .with("tenant", tenant)
            .andIs("state", filter.state().map(Words::write))
            .andIs("package", filter.packageName())
            .andIs("version", filter.version())
            .and("created_at <= :at AND (created_at < :at OR id < :before)")
            .with("at", cursor.map(end -> end.time(0)).orElse(AFTER_ALL))
            .with("before", cursor.map(end -> end.part(1)).orElse(""));
    List<RolloutRow> rows = database.run(handle -> question.rows(handle, page, RolloutTable.ROW));
    return Cursor.page(
        rows,
        page,
        row -> Cursor.write(Long.toString(row.createdAt().toEpochMilli()), row.id().name()));
  }

  /// Those of all tenants that a workflow is about: neither drafts nor ended.
  public List<RolloutRow> open() {
    return database.run(handle ->
        handle
            .createQuery(
                """
                SELECT * FROM rollout WHERE state IN ('planned', 'running', 'waiting-approval',
                  'paused', 'rolling-back', 'aborting')
                ORDER BY tenant, id\
                """)
            .map(RolloutTable.ROW)
            .list());
  }

  /// The open ones in which a device may be touched yet, by name: those to tell when its windows,
  /// its hold or its labels have changed.
  public List<RolloutId> waitingFor(String tenant, String device) {
    return database.run(handle ->
        handle
            .createQuery(
                """
                SELECT r.id FROM rollout_target t
                JOIN rollout r ON r.tenant = t.tenant AND r.id = t.rollout
                WHERE t.tenant = :tenant AND t.device = :device
                  AND (t.state = 'pending' OR t.ahead) AND r.state NOT IN ('draft', 'ended')
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
  public RolloutRow steer(RolloutId id, String steering) {
    return change(id, table -> table.setText(id, "steering", steering));
  }

  /// What is known by now is not judged any more, as after a resume.
  public RolloutRow forgive(RolloutId id) {
    return change(id, table -> table.update(id, "mark = verdicts"));
  }

  /// The wave begins; those before it are done, and verdicts from now on are judged.
  public RolloutRow enter(RolloutId id, int wave) {
    return database.run(handle -> {
      new RolloutWaves(database, clock).enter(handle, id, wave);
      RolloutTable.bind(
              handle.createUpdate(
                  """
                  UPDATE rollout SET current_wave = :wave, mark = verdicts,
                    started_at = COALESCE(started_at, :now)
                  WHERE tenant = :tenant AND id = :rollout\
                  """),
              id)
          .bind("wave", wave)
          .bind("now", clock.instant())
          .execute();
      return new RolloutTable(handle).find(id).orElseThrow();
    });
  }

  /// Where it is, and what it waits for if that is all it does. Writes nothing if it is so already;
  /// the beginning of a wait stays as long as it waits for the same.
  ///
  /// @param what empty: it works
  public RolloutRow stand(
      RolloutId id,
      RolloutState state,
      Optional<Waiting> what,
      String sentence,
      Optional<Instant> until) {
    return database.run(handle -> {
      var table = new RolloutTable(handle);
      RolloutRow row = table.find(id).orElseThrow();
      Optional<RolloutWait> wait =
          what.map(word ->
              new RolloutWait(
                  word,
                  sentence,
                  row.waiting()
                      .filter(before -> before.what() == word)
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
    return database.run(handle -> {
      var table = new RolloutTable(handle);
      if (table.lock(id).orElseThrow().endedAt().isEmpty()) {
        table.end(id, outcome, clock.instant());
      }
      return table.find(id).orElseThrow();
    });
  }

  /// Who was selected and takes no part, by name.
  public Page<LeftOut> leftOut(RolloutId id, PageRequest page) {
    Question question =
        new Question(
                "tenant, rollout, device",
                """
                SELECT * FROM rollout_left_out
                WHERE tenant = :tenant AND rollout = :rollout AND device > :after\
                """)
            .with("tenant", id.tenant())
            .with("rollout", id.name())
            .with("after", Cursor.of(page, 1).map(cursor -> cursor.part(0)).orElse(""));
    List<LeftOut> rows =
        database.run(handle ->
            question.rows(
                handle,
                page,
                Columns.as(row ->
                    new LeftOut(row.text("device"), row.text("reason"), row.text("detail")))));
    return Cursor.page(rows, page, one -> Cursor.write(one.device()));
  }

  private RolloutRow change(RolloutId id, Consumer<RolloutTable> change) {
    return database.run(handle -> {
      var table = new RolloutTable(handle);
      change.accept(table);
      return table.find(id).orElseThrow();
    });
  }

  private Instant now() {
    return clock.instant().truncatedTo(ChronoUnit.MILLIS);
  }
}
