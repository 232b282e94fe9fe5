package dev.uplift.store.rollout;

import dev.uplift.fleet.RolloutId;
import dev.uplift.fleet.rollout.ResultCounts;
import dev.uplift.fleet.rollout.TargetResult;
import dev.uplift.fleet.rollout.TargetState;
import dev.uplift.fleet.rollout.decision.RecentStarts;
import dev.uplift.store.Cursor;
import dev.uplift.store.Database;
import dev.uplift.store.EnumCodec;
import dev.uplift.store.Page;
import dev.uplift.store.PageRequest;
import dev.uplift.store.PagedQuery;
import dev.uplift.store.RowReader;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jdbi.v3.core.Handle;

/// What is counted of the devices of a rollout, and shown of them.
public final class RolloutStatistics {
  private static final Duration RATE_PERIOD = Duration.ofMinutes(1);

  /// A range has two ends, or H2 reads all rows without a value, too.
  private static final Instant END_OF_TIME = Instant.parse("9999-01-01T00:00:00Z");

  private final Database database;

  public RolloutStatistics(Database database) {
    this.database = database;
  }

  /// How many are where.
  public TargetCounts targetCounts(RolloutId id) {
    return database.withHandle(handle ->
        new TargetCounts(
            RolloutStatements.bind(
                    handle.createQuery(
                        """
                        SELECT wave, state, prepare_ahead, result, COUNT(*) AS devices
                        FROM rollout_target WHERE tenant = :tenant AND rollout = :rollout
                        GROUP BY wave, state, prepare_ahead, result ORDER BY wave, state, prepare_ahead, result\
                        """),
                    id)
                .map(
                    RowReader.mapper(row ->
                        new TargetCounts.Group(
                            row.intValue("wave"),
                            row.enumValue("state", TargetState.class),
                            row.booleanValue("prepare_ahead"),
                            row.optionalEnum("result", TargetResult.class),
                            row.intValue("devices"))))
                .list()));
  }

  /// What came of devices since the mark.
  public ResultCounts failureCounts(RolloutId id, long mark) {
    return database.withHandle(handle -> new ResultCounts(countResultsSince(handle, id, mark), latestResults(handle, id, mark)));
  }

  private static Map<TargetResult, Integer> countResultsSince(Handle handle, RolloutId id, long mark) {
    Map<TargetResult, Integer> counts = new EnumMap<>(TargetResult.class);
    RolloutStatements.bind(
            handle.createQuery(
                """
                SELECT result, COUNT(*) AS devices FROM rollout_target
                WHERE tenant = :tenant AND rollout = :rollout AND result_number > :mark
                  AND result_number < :end
                GROUP BY result\
                """),
            id)
        .bind("mark", mark)
        .bind("end", Long.MAX_VALUE)
        .map(RowReader.mapper(row -> Map.entry(row.enumValue("result", TargetResult.class), row.intValue("devices"))))
        .forEach(entry -> counts.put(entry.getKey(), entry.getValue()));
    return counts;
  }

  private static List<TargetResult> latestResults(Handle handle, RolloutId id, long mark) {
    return RolloutStatements.bind(
            handle.createQuery(
                """
                SELECT result FROM rollout_target
                WHERE tenant = :tenant AND rollout = :rollout AND result_number > :mark
                  AND result_number < :end
                ORDER BY tenant, rollout, result_number DESC LIMIT :limit\
                """),
            id)
        .bind("mark", mark)
        .bind("end", Long.MAX_VALUE)
        .bind("limit", ResultCounts.MAX_LATEST)
        .map(RowReader.mapper(row -> row.enumValue("result", TargetResult.class)))
        .list();
  }

  /// What was started in the minute before `now`, and of what was tried again there the try before.
  public RecentStarts recentStarts(RolloutId id, Instant now) {
    return database.withHandle(handle ->
        RolloutStatements.bind(
                handle.createQuery(
                    """
                    SELECT COUNT(*) AS devices, MIN(begun) AS oldest FROM (
                      SELECT started_at AS begun FROM rollout_target
                      WHERE tenant = :tenant AND rollout = :rollout
                        AND started_at > :since AND started_at < :end
                      UNION ALL
                      SELECT previous_started_at AS begun FROM rollout_target
                      WHERE tenant = :tenant AND rollout = :rollout
                        AND previous_started_at > :since AND previous_started_at < :end) starts\
                    """),
                id)
            .bind("since", now.minus(RATE_PERIOD))
            .bind("end", END_OF_TIME)
            .map(RowReader.mapper(row -> new RecentStarts(row.intValue("devices"), row.optionalInstant("oldest"))))
            .one());
  }

  /// Devices that count against a limit of their group, each with its value of the label: those in
  /// work in the tenant, whoever wished it, and those of this one that were touched and are not
  /// verified. One that is to go back does not stand in its own way. Silent ones are for others to
  /// add.
  ///
  /// @param soaking the wave that soaks
  /// @param since devices of it that were upgraded after this are not verified
  public Map<String, String> groupLoads(RolloutId id, String label, int soaking, Instant since) {
    return database.withHandle(handle -> {
      var loads = new LinkedHashMap<String, String>();
      for (String which :
          List.of(
              "t.state = 'starting' AND NOT t.prepare_ahead",
              "t.state = 'started' AND NOT t.prepare_ahead",
              "t.state = 'proceeding'",
              "t.state = 'reverting'",
              "r.id = :rollout AND t.result = 'partial' AND t.state <> 'revert-pending'",
              "r.id = :rollout AND t.result = 'stranded'",
              "r.id = :rollout AND t.result = 'unhealthy' AND t.state <> 'revert-pending'",
              "r.id = :rollout AND t.state = 'ended' AND t.wave = :soaking"
                  + " AND t.result = 'upgraded' AND t.ended_at > :since")) {
        RolloutStatements.bind(
                handle.createQuery(
                    """
                    SELECT t.device, l.label_value FROM rollout r
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
      loads.putAll(groupLoadsOfUpgrades(handle, id.tenant(), label));
      return loads;
    });
  }

  /// Those too that a person upgrades, and not those that only prepare ahead of their window.
  private static Map<String, String> groupLoadsOfUpgrades(Handle handle, String tenant, String label) {
    var found = new LinkedHashMap<String, String>();
    handle
        .createQuery(
            """
            SELECT u.device, l.label_value FROM upgrade u
            JOIN device_label l ON l.tenant = u.tenant AND l.device = u.device AND l.label = :label
            WHERE u.tenant = :tenant AND u.outcome IS NULL
              AND NOT EXISTS (SELECT 1 FROM rollout_target t WHERE t.tenant = u.tenant
                AND t.device = u.device AND t.upgrade = u.id AND t.prepare_ahead)\
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
  public List<FailureGroup> failureGroups(RolloutId id, int examples) {
    return database.withHandle(handle ->
        RolloutStatements.bind(
                handle.createQuery(
                    """
                    SELECT error_code, error_class, MIN(error_text) AS example,
                      COUNT(*) AS devices
                    FROM rollout_target WHERE tenant = :tenant AND rollout = :rollout
                      AND error_code IS NOT NULL
                      AND (result IS NULL OR result NOT IN ('upgraded', 'no-action'))
                    GROUP BY error_code, error_class
                    ORDER BY devices DESC, error_code, error_class\
                    """),
                id)
            .map(
                RowReader.mapper(row ->
                    new FailureGroup(
                        row.text("error_code"),
                        row.text("error_class"),
                        row.text("example"),
                        row.intValue("devices"),
                        List.of())))
            .list()
            .stream()
            .map(group -> group.withExamples(exampleDevices(handle, id, group, examples)))
            .toList());
  }

  private static List<String> exampleDevices(Handle handle, RolloutId id, FailureGroup of, int limit) {
    return RolloutStatements.bind(
            handle.createQuery(
                """
                SELECT device FROM rollout_target WHERE tenant = :tenant AND rollout = :rollout
                  AND error_code = :code AND error_class = :class
                  AND (result IS NULL OR result NOT IN ('upgraded', 'no-action'))
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
    boolean byVerdict = filter.result().isPresent();
    PagedQuery pagedQuery =
        new PagedQuery(
                byVerdict ? "tenant, rollout, result, device" : "tenant, rollout, device",
                """
                SELECT * FROM rollout_target
                WHERE tenant = :tenant AND rollout = :rollout AND device > :after\
                """)
            .bind("tenant", id.tenant())
            .bind("rollout", id.name())
            .bind("after", Cursor.of(page, 1).map(cursor -> cursor.part(0)).orElse(""))
            .andEquals("state", filter.state().map(EnumCodec::encode))
            .andEquals("result", filter.result().map(EnumCodec::encode));
    filter.wave().ifPresent(wave -> pagedQuery.and("wave = :wave").bind("wave", wave));
    List<TargetRow> rows = database.withHandle(handle -> pagedQuery.fetch(handle, page, TargetStatements.ROW));
    return Cursor.toPage(rows, page, row -> Cursor.encode(row.device()));
  }
}
