package dev.uplift.store.version;

import dev.uplift.fleet.HostId;
import dev.uplift.store.Cursor;
import dev.uplift.store.Page;
import dev.uplift.store.PageRequest;
import dev.uplift.store.RequiresTransaction;
import dev.uplift.store.StoreClock;
import dev.uplift.store.StoredText;
import dev.uplift.store.Transacted;
import io.micronaut.core.annotation.Introspected;
import io.micronaut.data.annotation.Query;
import io.micronaut.data.jdbc.annotation.JdbcRepository;
import io.micronaut.data.model.query.builder.sql.Dialect;
import io.micronaut.data.repository.GenericRepository;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// The tables `host_version`, which versions each host runs, and `host_version_change`, which ones it ran before.
@JdbcRepository(dialect = Dialect.POSTGRES)
@Transacted
public abstract class HostVersionRepository implements GenericRepository<HostVersionRow, Long> {
  /// How long after the end of an upgrade a report still counts as its effect. An upgrade ends with the report that it
  /// waits for, which each server receives at a time of its own.
  private static final Duration REPORT_DELAY = Duration.ofMinutes(1);

  /// How many changes are removed in one transaction.
  private static final int BATCH = 10_000;

  private final StoreClock clock;

  protected HostVersionRepository(StoreClock clock) {
    this.clock = clock;
  }

  /// A version that a host runs.
  @Introspected
  record InstalledVersion(String packageName, String version) {}

  /// [#replace(String, String, Map, Map, Instant)] for a caller that does not know what the host ran: one more
  /// statement reads it.
  @RequiresTransaction
  public void replace(String tenant, String host, Map<String, String> versions, Instant reportedAt) {
    Map<String, String> before = new TreeMap<>();
    listInstalled(tenant, host).forEach(found -> before.put(found.packageName(), found.version()));
    replace(tenant, host, before, versions, reportedAt);
  }

  /// Records what a host runs now, under the lock of its row. Writes only what has changed: two statements for each
  /// package with another version.
  ///
  /// @param before what it ran, by package
  /// @param versions by package
  /// @param reportedAt when the host said so
  @RequiresTransaction
  public void replace(
      String tenant, String host, Map<String, String> before, Map<String, String> versions, Instant reportedAt) {
    Map<String, String> gone = new TreeMap<>(before);
    Instant since = reportedAt.truncatedTo(ChronoUnit.MILLIS);
    for (Map.Entry<String, String> reported : new TreeMap<>(versions).entrySet()) {
      String packageName = StoredText.sanitize(reported.getKey());
      String version = StoredText.sanitize(reported.getValue());
      String previous = gone.remove(packageName);
      if (previous == null) {
        insert(tenant, host, packageName, version);
        recordChange(tenant, host, packageName, version, null, since);
      } else if (!previous.equals(version)) {
        update(tenant, host, packageName, version);
        recordChange(tenant, host, packageName, version, previous, since);
      }
    }
    gone.forEach((packageName, previous) -> {
      delete(tenant, host, packageName);
      recordChange(tenant, host, packageName, null, previous, since);
    });
  }

  private void recordChange(
      String tenant,
      String host,
      String packageName,
      @Nullable String version,
      @Nullable String previous,
      Instant since) {
    insertChange(tenant, host, packageName, version, previous, since, since.minus(REPORT_DELAY));
  }

  /// Lists what a host runs and ran, newest first.
  ///
  /// @param packageName empty for all packages
  public Page<HostVersionRow> list(String tenant, HostId host, Optional<String> packageName, PageRequest page) {
    long before = Cursor.numberBefore(page);
    return Cursor.toPageByNumber(
        listBefore(tenant, host.value(), packageName.orElse(""), before, page.limit() + 1),
        page,
        HostVersionRow::number);
  }

  /// Counts how many hosts ran which version of a package at the end of each of the last days, in their order. Hosts
  /// that are on no device count, too: it is not recorded when a host was on one.
  ///
  /// @param days how many, from 1; today is one of them
  public List<DayVersions> countByDay(String tenant, String packageName, int days) {
    Instant now = clock.now();
    Instant start = LocalDate.ofInstant(now, ZoneOffset.UTC).minusDays(days).atStartOfDay(ZoneOffset.UTC).toInstant();
    return DayVersions.countBack(
        now, days, countInstalled(tenant, packageName), countChanges(tenant, packageName, start));
  }

  /// Removes versions that hosts have not run since `before`, so that of each host and package the one that it ran then
  /// is the oldest. Returns how many; as long as there are more, it is to be called again.
  public int deleteOld(Instant before) {
    return deleteBatch(before, BATCH);
  }

  @Query("SELECT package, version FROM host_version WHERE tenant = :tenant AND host = :host")
  abstract List<InstalledVersion> listInstalled(String tenant, String host);

  @Query(
      """
      INSERT INTO host_version (tenant, host, package, version)
      VALUES (:tenant, :host, :packageName, :version)\
      """)
  abstract int insert(String tenant, String host, String packageName, String version);

  @Query(
      """
      UPDATE host_version SET version = :version
      WHERE tenant = :tenant AND package = :packageName AND host = :host\
      """)
  abstract int update(String tenant, String host, String packageName, String version);

  @Query("DELETE FROM host_version WHERE tenant = :tenant AND package = :packageName AND host = :host")
  abstract int delete(String tenant, String host, String packageName);

  /// An upgrade has changed the host if it was running and had sent it a step that changes something.
  @Query(
      """
      INSERT INTO host_version_change (tenant, host, package, version, previous, since, upgrade)
      SELECT host.tenant, host.name, CAST(:packageName AS VARCHAR), CAST(:version AS VARCHAR),
        CAST(:previous AS VARCHAR), CAST(:since AS TIMESTAMP(3) WITH TIME ZONE),
        (SELECT u.id FROM upgrade u WHERE u.tenant = host.tenant AND u.device = host.device
          AND u.package = :packageName AND u.started_at <= :since AND (u.ended_at IS NULL OR u.ended_at >= :recent)
          AND EXISTS (SELECT 1 FROM command c WHERE c.tenant = u.tenant AND c.upgrade = u.id AND c.host = host.name
            AND c.step IN ('upgrade', 'reboot', 'commit', 'rollback') AND c.created_at <= :since)
          ORDER BY u.tenant, u.device, u.started_at DESC, u.id DESC LIMIT 1)
      FROM host WHERE host.tenant = :tenant AND host.name = :host\
      """)
  abstract int insertChange(
      String tenant,
      String host,
      String packageName,
      @Nullable String version,
      @Nullable String previous,
      Instant since,
      Instant recent);

  @Query(
      """
      SELECT * FROM (
        SELECT number, package, version, previous, since, upgrade,
          LEAD(since) OVER (PARTITION BY package ORDER BY number) AS until_at
        FROM host_version_change
        WHERE tenant = :tenant AND host = :host AND (:packageName = '' OR package = :packageName)) versions
      WHERE number < :before ORDER BY number DESC LIMIT :limit\
      """)
  abstract List<HostVersionRow> listBefore(String tenant, String host, String packageName, long before, int limit);

  @Query(
      """
      SELECT version, COUNT(*) AS hosts FROM host_version WHERE tenant = :tenant AND package = :packageName
      GROUP BY version\
      """)
  abstract List<CurrentVersionCount> countInstalled(String tenant, String packageName);

  @Query(
      """
      SELECT CAST(FLOOR(EXTRACT(EPOCH FROM since) / 86400) AS BIGINT) AS day_number, previous, version,
        COUNT(*) AS hosts
      FROM host_version_change WHERE tenant = :tenant AND package = :packageName AND since >= :start
      GROUP BY CAST(FLOOR(EXTRACT(EPOCH FROM since) / 86400) AS BIGINT), previous, version\
      """)
  abstract List<VersionChangeCount> countChanges(String tenant, String packageName, Instant start);

  @Query(
      """
      DELETE FROM host_version_change WHERE (tenant, number) IN
        (SELECT tenant, number FROM host_version_change old WHERE since < :before AND EXISTS (
          SELECT 1 FROM host_version_change later WHERE later.tenant = old.tenant AND later.host = old.host
            AND later.number > old.number AND later.package = old.package AND later.since < :before)
        ORDER BY since LIMIT :limit)\
      """)
  abstract int deleteBatch(Instant before, int limit);
}
