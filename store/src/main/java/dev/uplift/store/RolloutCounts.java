package dev.uplift.store;

import dev.uplift.fleet.RolloutId;
import dev.uplift.fleet.rollout.Judged;
import dev.uplift.fleet.rollout.Pacing;
import dev.uplift.fleet.rollout.TargetState;
import dev.uplift.fleet.rollout.Verdict;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jdbi.v3.core.Handle;

/// What is counted of the devices of a rollout, and shown of them.
public final class RolloutCounts {
  private static final Duration LATELY = Duration.ofMinutes(1);

  /// A range has two ends, or H2 reads all rows without a value, too.
  private static final Instant AFTER_ALL = Instant.parse("9999-01-01T00:00:00Z");

  private final Database database;

  public RolloutCounts(Database database) {
    this.database = database;
  }

  /// How many are where.
  public TargetCounts counts(RolloutId id) {
    return database.run(handle ->
        new TargetCounts(
            RolloutTable.bind(
                    handle.createQuery(
                        """
                        SELECT wave, state, ahead, verdict, COUNT(*) AS devices
                        FROM rollout_target WHERE tenant = :tenant AND rollout = :rollout
                        GROUP BY wave, state, ahead, verdict ORDER BY wave, state, ahead, verdict\
                        """),
                    id)
                .map(
                    Columns.as(row ->
                        new TargetCounts.Part(
                            row.count("wave"),
                            row.word("state", TargetState.class),
                            row.flag("ahead"),
                            row.maybeWord("verdict", Verdict.class),
                            row.count("devices"))))
                .list()));
  }

  /// What came of devices since the mark.
  public Judged judged(RolloutId id, long mark) {
    return database.run(handle -> new Judged(since(handle, id, mark), newest(handle, id, mark)));
  }

  private static Map<Verdict, Integer> since(Handle handle, RolloutId id, long mark) {
    Map<Verdict, Integer> counts = new EnumMap<>(Verdict.class);
    RolloutTable.bind(
            handle.createQuery(
                """
                SELECT verdict, COUNT(*) AS devices FROM rollout_target
                WHERE tenant = :tenant AND rollout = :rollout AND verdict_number > :mark
                  AND verdict_number < :end
                GROUP BY verdict\
                """),
            id)
        .bind("mark", mark)
        .bind("end", Long.MAX_VALUE)
        .map(Columns.as(row -> Map.entry(row.word("verdict", Verdict.class), row.count("devices"))))
        .forEach(entry -> counts.put(entry.getKey(), entry.getValue()));
    return counts;
  }

  private static List<Verdict> newest(Handle handle, RolloutId id, long mark) {
    return RolloutTable.bind(
            handle.createQuery(
                """
                SELECT verdict FROM rollout_target
                WHERE tenant = :tenant AND rollout = :rollout AND verdict_number > :mark
                  AND verdict_number < :end
                ORDER BY tenant, rollout, verdict_number DESC LIMIT :limit\
                """),
            id)
        .bind("mark", mark)
        .bind("end", Long.MAX_VALUE)
        .bind("limit", Judged.LAST)
        .map(Columns.as(row -> row.word("verdict", Verdict.class)))
        .list();
  }

  /// What was started in the minute before `now`, and of what was tried again there the try before.
  public Pacing pacing(RolloutId id, Instant now) {
    return database.run(handle ->
        RolloutTable.bind(
                handle.createQuery(
                    """
                    SELECT COUNT(*) AS devices, MIN(begun) AS oldest FROM (
                      SELECT started_at AS begun FROM rollout_target
                      WHERE tenant = :tenant AND rollout = :rollout
                        AND started_at > :since AND started_at < :end
                      UNION ALL
                      SELECT started_before AS begun FROM rollout_target
                      WHERE tenant = :tenant AND rollout = :rollout
                        AND started_before > :since AND started_before < :end) starts\
                    """),
                id)
            .bind("since", now.minus(LATELY))
            .bind("end", AFTER_ALL)
            .map(Columns.as(row -> new Pacing(row.count("devices"), row.maybeTime("oldest"))))
            .one());
  }

  /// Devices that count against a limit of their group, each with its value of the label: those in
  /// work in the tenant, whoever wished it, and those of this one that were touched and are not
  /// verified. One that is to go back does not stand in its own way. Silent ones are for others to
  /// add.
  ///
  /// @param soaking the wave that soaks
  /// @param since devices of it that were upgraded after this are not verified
  public Map<String, String> loads(RolloutId id, String label, int soaking, Instant since) {
    return database.run(handle -> {
      var loads = new LinkedHashMap<String, String>();
      for (String which :
          List.of(
              "t.state = 'starting' AND NOT t.ahead",
              "t.state = 'started' AND NOT t.ahead",
              "t.state = 'proceeding'",
              "t.state = 'reverting'",
              "r.id = :rollout AND t.verdict = 'partial' AND t.state <> 'to-revert'",
              "r.id = :rollout AND t.verdict = 'stranded'",
              "r.id = :rollout AND t.verdict = 'unhealthy' AND t.state <> 'to-revert'",
              "r.id = :rollout AND t.state = 'ended' AND t.wave = :soaking"
                  + " AND t.verdict = 'upgraded' AND t.ended_at > :since")) {
        RolloutTable.bind(
                handle.createQuery(
                    """
                    SELECT t.device, l.content FROM rollout r
                    JOIN rollout_target t ON t.tenant = r.tenant AND t.rollout = r.id
                    JOIN device_label l ON l.tenant = t.tenant AND l.device = t.device
                      AND l.label = :label
                    WHERE r.tenant = :tenant AND r.state NOT IN ('draft', 'ended') AND %s\
                    """
                        .formatted(which)),
                id)
            .bind("label", label)
            .bind("soaking", soaking)
            .bind("since", since)
            .map((row, _) -> Map.entry(row.getString(1), row.getString(2)))
            .forEach(entry -> loads.put(entry.getKey(), entry.getValue()));
      }
      loads.putAll(upgrading(handle, id.tenant(), label));
      return loads;
    });
  }

  /// Those too that a person upgrades, and not those that only prepare ahead of their window.
  private static Map<String, String> upgrading(Handle handle, String tenant, String label) {
    var found = new LinkedHashMap<String, String>();
    handle
        .createQuery(
            """
            SELECT u.device, l.content FROM upgrade u
            JOIN device_label l ON l.tenant = u.tenant AND l.device = u.device AND l.label = :label
            WHERE u.tenant = :tenant AND u.outcome IS NULL
              AND NOT EXISTS (SELECT 1 FROM rollout_target t WHERE t.tenant = u.tenant
                AND t.device = u.device AND t.upgrade = u.id AND t.ahead)\
            """)
        .bind("tenant", tenant)
        .bind("label", label)
        .map((row, _) -> Map.entry(row.getString(1), row.getString(2)))
        .forEach(entry -> found.put(entry.getKey(), entry.getValue()));
    return found;
  }

  /// The first errors of devices that do not run the release, most frequent first.
  ///
  /// @param examples so many names of each at most
  public List<FailureGroup> failures(RolloutId id, int examples) {
    return database.run(handle ->
        RolloutTable.bind(
                handle.createQuery(
                    """
                    SELECT error_code, error_class, MIN(error_text) AS example,
                      COUNT(*) AS devices
                    FROM rollout_target WHERE tenant = :tenant AND rollout = :rollout
                      AND error_code IS NOT NULL
                      AND (verdict IS NULL OR verdict NOT IN ('upgraded', 'no-action'))
                    GROUP BY error_code, error_class
                    ORDER BY devices DESC, error_code, error_class\
                    """),
                id)
            .map(
                Columns.as(row ->
                    new FailureGroup(
                        row.text("error_code"),
                        row.text("error_class"),
                        row.text("example"),
                        row.count("devices"),
                        List.of())))
            .list()
            .stream()
            .map(group -> group.with(some(handle, id, group, examples)))
            .toList());
  }

  private static List<String> some(Handle handle, RolloutId id, FailureGroup of, int limit) {
    return RolloutTable.bind(
            handle.createQuery(
                """
                SELECT device FROM rollout_target WHERE tenant = :tenant AND rollout = :rollout
                  AND error_code = :code AND error_class = :class
                  AND (verdict IS NULL OR verdict NOT IN ('upgraded', 'no-action'))
                ORDER BY tenant, rollout, device LIMIT :limit\
                """),
            id)
        .bind("code", of.code())
        .bind("class", of.errorClass())
        .bind("limit", limit)
        .mapTo(String.class)
        .list();
  }

  /// By name.
  public Page<TargetRow> list(RolloutId id, TargetFilter filter, PageRequest page) {
    boolean byVerdict = filter.verdict().isPresent();
    Question question =
        new Question(
                byVerdict ? "tenant, rollout, verdict, device" : "tenant, rollout, device",
                """
                SELECT * FROM rollout_target
                WHERE tenant = :tenant AND rollout = :rollout AND device > :after\
                """)
            .with("tenant", id.tenant())
            .with("rollout", id.name())
            .with("after", Cursor.of(page, 1).map(cursor -> cursor.part(0)).orElse(""))
            .andIs("state", filter.state().map(Words::write))
            .andIs("verdict", filter.verdict().map(Words::write));
    filter.wave().ifPresent(wave -> question.and("wave = :wave").with("wave", wave));
    List<TargetRow> rows = database.run(handle -> question.rows(handle, page, TargetTable.ROW));
    return Cursor.page(rows, page, row -> Cursor.write(row.device()));
  }
}
