package dev.uplift.store.rollout;

import dev.uplift.fleet.RolloutId;
import dev.uplift.fleet.rollout.ResultCounts;
import dev.uplift.fleet.rollout.TargetResult;
import dev.uplift.fleet.rollout.decision.RecentStarts;
import dev.uplift.store.Cursor;
import dev.uplift.store.EnumCodec;
import dev.uplift.store.Page;
import dev.uplift.store.PageRequest;
import dev.uplift.store.RequiresTransaction;
import dev.uplift.store.StoreClock;
import dev.uplift.store.Transacted;
import io.micronaut.core.annotation.Introspected;
import io.micronaut.data.annotation.Query;
import io.micronaut.data.jdbc.annotation.JdbcRepository;
import io.micronaut.data.model.query.builder.sql.Dialect;
import io.micronaut.data.repository.GenericRepository;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Counts and lists of the devices of a rollout, and the lock under which the devices of groups are counted.
@JdbcRepository(dialect = Dialect.POSTGRES)
@Transacted
public abstract class RolloutStatistics implements GenericRepository<TargetRow, String> {
  /// Devices whose first error was the same.
  ///
  /// @param exampleText the text of one of them
  /// @param deviceCount so many
  /// @param exampleDevices names of the first few
  public record FailureGroup(
      String code, String errorClass, String exampleText, int deviceCount, List<String> exampleDevices) {
    public FailureGroup {
      exampleDevices = List.copyOf(exampleDevices);
    }
  }

  private static final Duration RATE_PERIOD = Duration.ofMinutes(1);

  private static final String OF_ROLLOUT = " WHERE tenant = :tenant AND rollout = :rollout";

  private static final String LOAD =
      """
      SELECT t.device, l.label_value AS text FROM rollout r
      JOIN rollout_target t ON t.tenant = r.tenant AND t.rollout = r.id
      JOIN device_label l ON l.tenant = t.tenant AND l.device = t.device AND l.label = :label
      WHERE r.tenant = :tenant AND r.state NOT IN ('draft', 'ended') AND\
      """;

  private static final String AND_LOAD = " UNION ALL " + LOAD;

  private static final String FAILED = " AND (result IS NULL OR result NOT IN ('upgraded', 'no-action'))";

  private static final String FILTER =
      " AND device > :after AND (:state = '' OR state = :state) AND (:number < 0 OR wave =" + " :number)";

  /// Counts the devices by wave, state and result.
  public TargetCounts targetCounts(RolloutId id) {
    return new TargetCounts(countTargets(id.tenant(), id.name()));
  }

  /// Counts the results with a number above `baseline`.
  public ResultCounts failureCounts(RolloutId id, long baseline) {
    Map<TargetResult, Integer> counts = new EnumMap<>(TargetResult.class);
    countResults(id.tenant(), id.name(), baseline, Long.MAX_VALUE)
        .forEach(found -> counts.put(result(found.result()), found.devices()));
    List<TargetResult> latest =
        latestResults(id.tenant(), id.name(), baseline, Long.MAX_VALUE, ResultCounts.MAX_LATEST).stream()
            .map(RolloutStatistics::result)
            .toList();
    return new ResultCounts(counts, latest);
  }

  private static TargetResult result(String word) {
    return EnumCodec.decode(TargetResult.class, word);
  }

  /// Counts the starts in the minute before `now`, including the attempt before of a device that was tried again there.
  public RecentStarts recentStarts(RolloutId id, Instant now) {
    StartCount starts = countStarts(id.tenant(), id.name(), now.minus(RATE_PERIOD), StoreClock.END_OF_TIME);
    return new RecentStarts(starts.devices(), Optional.ofNullable(starts.oldest()));
  }

  /// Locks the groups of the tenant until the end of the transaction: else two rollouts that count how full they are,
  /// each under its own lock, would both give the last place away.
  ///
  /// @throws IllegalStateException outside of [dev.uplift.store.Database#inTransaction]
  @RequiresTransaction
  public void lockGroups(String tenant) {
    if (lockGroupRow(tenant).isEmpty()) {
      insertGroupRow(tenant);
      lockGroupRow(tenant);
    }
  }

  /// Devices that count against a limit of their group, each with its value of the label: those in work in the tenant,
  /// for any rollout, and those of this one that were touched and are not verified. A device that waits for its revert
  /// does not block itself. Silent ones are for the caller to add.
  ///
  /// @param soaking the wave that soaks
  /// @param since devices of it that were upgraded after this are not verified
  public Map<String, String> groupLoads(RolloutId id, String label, int soaking, Instant since) {
    Map<String, String> loads = DeviceText.toMap(listLoads(id.tenant(), id.name(), label, soaking, since));
    loads.putAll(DeviceText.toMap(listLoadsOfUpgrades(id.tenant(), label)));
    return loads;
  }

  /// The first errors of devices that do not run the release, most frequent first.
  ///
  /// @param examples so many names of each at most
  public List<FailureGroup> failureGroups(RolloutId id, int examples) {
    return countFailures(id.tenant(), id.name()).stream()
        .map(group ->
            new FailureGroup(
                group.errorCode(),
                group.errorClass(),
                group.example(),
                group.devices(),
                exampleDevices(id.tenant(), id.name(), group.errorCode(), group.errorClass(), examples)))
        .toList();
  }

  /// By name.
  public Page<TargetRow> list(RolloutId id, TargetFilter filter, PageRequest page) {
    String after = Cursor.of(page, 1).map(cursor -> cursor.part(0)).orElse("");
    String state = filter.state().map(EnumCodec::encode).orElse("");
    int wave = filter.wave().orElse(-1);
    int limit = page.limit() + 1;
    List<TargetRow> found =
        filter
            .result()
            .map(result -> listWithResult(id.tenant(), id.name(), EnumCodec.encode(result), after, state, wave, limit))
            .orElseGet(() -> listAll(id.tenant(), id.name(), after, state, wave, limit));
    return Cursor.toPage(found, page, row -> Cursor.encode(row.device()));
  }

  @Query(
      "SELECT wave, state, prepare_ahead, result, COUNT(*) AS devices, COUNT(offline_since) AS offline,"
          + " MAX(offline_since) AS last_offline_at FROM rollout_target"
          + OF_ROLLOUT
          + " GROUP BY wave, state, prepare_ahead, result"
          + " ORDER BY wave, state, prepare_ahead, result")
  abstract List<TargetCounts.Group> countTargets(String tenant, String rollout);

  @Query(
      "SELECT result, COUNT(*) AS devices FROM rollout_target"
          + OF_ROLLOUT
          + " AND result_number > :baseline AND result_number < :end GROUP BY result")
  abstract List<ResultCount> countResults(String tenant, String rollout, long baseline, long end);

  @Query(
      "SELECT result FROM rollout_target"
          + OF_ROLLOUT
          + " AND result_number > :baseline AND result_number < :end"
          + " ORDER BY tenant, rollout, result_number DESC LIMIT :limit")
  abstract List<String> latestResults(String tenant, String rollout, long baseline, long end, int limit);

  @Query(
      "SELECT COUNT(*) AS devices, MIN(begun) AS oldest FROM ("
          + "SELECT started_at AS begun FROM rollout_target"
          + OF_ROLLOUT
          + " AND started_at > :since AND started_at < :end"
          + " UNION ALL SELECT previous_started_at AS begun FROM rollout_target"
          + OF_ROLLOUT
          + " AND previous_started_at > :since AND previous_started_at < :end) starts")
  abstract StartCount countStarts(String tenant, String rollout, Instant since, Instant end);

  /// Each condition by itself: for a list of states H2 reads no index.
  @Query(
      LOAD
          + " t.state = 'starting' AND NOT t.prepare_ahead"
          + AND_LOAD
          + " t.state = 'started' AND NOT t.prepare_ahead"
          + AND_LOAD
          + " t.state = 'proceeding'"
          + AND_LOAD
          + " t.state = 'reverting'"
          + AND_LOAD
          + " r.id = :rollout AND t.result = 'partial' AND t.state <> 'revert-pending'"
          + AND_LOAD
          + " r.id = :rollout AND t.result = 'stranded'"
          + AND_LOAD
          + " r.id = :rollout AND t.result = 'unhealthy' AND t.state <> 'revert-pending'"
          + AND_LOAD
          + " r.id = :rollout AND t.state = 'ended' AND t.wave = :soaking"
          + " AND t.result = 'upgraded' AND t.ended_at > :since")
  abstract List<DeviceText> listLoads(String tenant, String rollout, String label, int soaking, Instant since);

  /// Includes upgrades that a person started, and not those that only prepare ahead of their window.
  @Query(
      """
      SELECT u.device, l.label_value AS text FROM upgrade u
      JOIN device_label l ON l.tenant = u.tenant AND l.device = u.device AND l.label = :label
      WHERE u.tenant = :tenant AND u.outcome IS NULL
        AND NOT EXISTS (SELECT 1 FROM rollout_target t WHERE t.tenant = u.tenant
          AND t.device = u.device AND t.upgrade = u.id AND t.prepare_ahead)\
      """)
  abstract List<DeviceText> listLoadsOfUpgrades(String tenant, String label);

  @Query(
      "SELECT error_code, error_class, MIN(error_text) AS example, COUNT(*) AS devices"
          + " FROM rollout_target"
          + OF_ROLLOUT
          + " AND error_code IS NOT NULL"
          + FAILED
          + " GROUP BY error_code, error_class ORDER BY devices DESC, error_code, error_class")
  abstract List<FailureCount> countFailures(String tenant, String rollout);

  @Query(
      "SELECT device FROM rollout_target"
          + OF_ROLLOUT
          + " AND error_code = :code AND error_class = :errorClass"
          + FAILED
          + " ORDER BY tenant, rollout, device LIMIT :limit")
  abstract List<String> exampleDevices(String tenant, String rollout, String code, String errorClass, int limit);

  /// Not the row of the tenant: on PostgreSQL every insert that refers to it would wait.
  @Query("SELECT tenant FROM group_lock WHERE tenant = :tenant FOR UPDATE")
  abstract Optional<String> lockGroupRow(String tenant);

  @Query("INSERT INTO group_lock (tenant) VALUES (:tenant) ON CONFLICT DO NOTHING")
  abstract int insertGroupRow(String tenant);

  @Query("SELECT * FROM rollout_target" + OF_ROLLOUT + FILTER + " ORDER BY tenant, rollout, device LIMIT :limit")
  abstract List<TargetRow> listAll(String tenant, String rollout, String after, String state, int number, int limit);

  @Query(
      "SELECT * FROM rollout_target"
          + OF_ROLLOUT
          + " AND result = :result"
          + FILTER
          + " ORDER BY tenant, rollout, result, device LIMIT :limit")
  abstract List<TargetRow> listWithResult(
      String tenant, String rollout, String result, String after, String state, int number, int limit);

  /// How many devices have a result.
  @Introspected
  record ResultCount(String result, int devices) {}

  /// How many devices were started, and when the first of them.
  @Introspected
  record StartCount(int devices, @Nullable Instant oldest) {}

  /// How many devices have the same first error.
  @Introspected
  record FailureCount(String errorCode, String errorClass, String example, int devices) {}
}
