package dev.uplift.store.version;

import dev.uplift.fleet.HostId;
import dev.uplift.store.Cursor;
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
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// The tables `host_version`, which versions each host runs, and `host_version_change`, which ones it ran before.
@JdbcRepository(dialect = Dialect.POSTGRES)
@Transacted
public abstract class HostVersionRepository implements GenericRepository<HostVersionRow, Long> {
  /// How many changes are removed in one transaction.
  private static final int BATCH = 10_000;

  private final StoreClock clock;
  private final VersionStatements statements;

  protected HostVersionRepository(StoreClock clock, VersionStatements statements) {
    this.clock = clock;
    this.statements = statements;
  }

  /// A version that a host runs.
  @Introspected
  record InstalledVersion(String packageName, String version) {}

  /// [#replace(List)] of one host, for a caller that does not know what it ran: one more statement reads it.
  @RequiresTransaction
  public void replace(String tenant, String host, Map<String, String> versions, Instant reportedAt) {
    Map<String, String> before = new TreeMap<>();
    listInstalled(tenant, host).forEach(found -> before.put(found.packageName(), found.version()));
    replace(List.of(new ReportedVersions(tenant, host, before, versions, reportedAt)));
  }

  /// Records what hosts run now, under the locks of their rows. Writes only what has changed: two statements for all
  /// packages that have another version, whatever their number.
  ///
  /// @param reports each of another host
  @RequiresTransaction
  public void replace(List<ReportedVersions> reports) {
    statements.write(reports.stream().flatMap(report -> VersionChange.listOf(report).stream()).toList());
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
