package dev.uplift.store.upgrade;

import dev.uplift.fleet.DeviceId;
import dev.uplift.fleet.Release;
import dev.uplift.store.StoreClock;
import dev.uplift.store.Transacted;
import io.micronaut.core.annotation.Introspected;
import io.micronaut.data.annotation.Query;
import io.micronaut.data.jdbc.annotation.JdbcRepository;
import io.micronaut.data.model.query.builder.sql.Dialect;
import io.micronaut.data.repository.GenericRepository;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/// The rows of the table `upgrade` that speak against a release on a device, or leave a device to a person.
@JdbcRepository(dialect = Dialect.POSTGRES)
@Transacted
public abstract class FailureRepository implements GenericRepository<UpgradeRow, String> {
  /// Of a failure that still counts.
  static final String COUNTS =
      """
       AND revert_of IS NULL AND failure_cleared_at IS NULL AND reason_kind = 'error'
        AND outcome IN ('prepare-failed', 'rolled-back', 'partial', 'stranded')\
      """;

  private static final String JUDGED =
      """
       AND revert_of IS NULL AND failure_cleared_at IS NULL
        AND (outcome IN ('upgraded', 'no-action') OR (reason_kind = 'error'
          AND outcome IN ('prepare-failed', 'rolled-back', 'partial', 'stranded')))\
      """;

  private static final String OF_RELEASE =
      """
      SELECT device, id, outcome, reason_text FROM (
        SELECT device, id, outcome, reason_text, ROW_NUMBER() OVER (
          PARTITION BY device ORDER BY ended_at DESC, started_at DESC, id DESC) AS place
        FROM upgrade WHERE tenant = :tenant AND package = :packageName AND version = :version\
      """;

  private static final String FAILED =
      """
      ) judged
      WHERE place = 1 AND outcome NOT IN ('upgraded', 'no-action')
      ORDER BY device\
      """;

  private final StoreClock clock;

  protected FailureRepository(StoreClock clock) {
    this.clock = clock;
  }

  /// The upgrade that shows that this release does not work on this device: it ended with an error of its own after the
  /// release last succeeded there. Deadlines, aborts and refusals do not count, nor do reverts and cleared failures.
  public Optional<UpgradeRow> findFailureSinceSuccess(DeviceId device, Release release) {
    return findNewestJudged(device.tenant(), device.name(), release.packageName(), release.version())
        .filter(row -> row.end().filter(UpgradeEnd::isSuccess).isEmpty());
  }

  /// As [#findFailureSinceSuccess], for all devices at once. Reads the upgrades to this version, however many there are
  /// to others.
  public List<DeviceFailure> listFailuresSinceSuccess(String tenant, Release release) {
    return listNewestFailures(tenant, release.packageName(), release.version());
  }

  /// As [#findFailureSinceSuccess], for the devices with names from `first` to `last`.
  public List<DeviceFailure> listFailuresSinceSuccess(String tenant, Release release, String first, String last) {
    return listNewestFailures(tenant, release.packageName(), release.version(), first, last);
  }

  /// An upgrade that shows that a release does not work on a device.
  @Introspected
  public record DeviceFailure(String device, String id, String outcome, String reasonText) {}

  @Query(OF_RELEASE + JUDGED + FAILED)
  abstract List<DeviceFailure> listNewestFailures(String tenant, String packageName, String version);

  @Query(OF_RELEASE + " AND device >= :first AND device <= :last" + JUDGED + FAILED)
  abstract List<DeviceFailure> listNewestFailures(
      String tenant, String packageName, String version, String first, String last);

  @Query(
      """
      SELECT * FROM upgrade WHERE tenant = :tenant AND device = :device
        AND package = :packageName AND version = :version\
      """
          + JUDGED
          + " ORDER BY ended_at DESC, started_at DESC, id DESC LIMIT 1")
  abstract Optional<UpgradeRow> findNewestJudged(String tenant, String device, String packageName, String version);

  /// A device whose newest upgrade is stranded.
  @Introspected
  public record StrandedDevice(String tenant, String device, String id) {}

  /// The devices of all tenants whose newest upgrade is stranded, as long as they are registered; by tenant, the latest
  /// first.
  @Query(
      """
      SELECT u.tenant, u.device, u.id FROM tenant t
        JOIN upgrade u ON u.tenant = t.name AND u.outcome = 'stranded'
        JOIN device d ON d.tenant = u.tenant AND d.name = u.device
      WHERE t.deleted_at IS NULL AND NOT EXISTS (SELECT 1 FROM upgrade n
        WHERE n.tenant = u.tenant AND n.device = u.device AND n.started_at >= u.started_at
          AND (n.started_at > u.started_at OR n.id > u.id))
      ORDER BY u.tenant, u.outcome, u.started_at DESC, u.id DESC LIMIT :limit\
      """)
  public abstract List<StrandedDevice> listStranded(int limit);

  /// Makes failures of the release on the device, up to now, count no more. Returns how many there were. Their outcomes
  /// stay.
  public int clearFailures(DeviceId device, Release release) {
    return clearFailures(device.tenant(), List.of(device.name()), release);
  }

  /// As above, on these devices.
  ///
  /// @param names of devices, not empty
  public int clearFailures(String tenant, Collection<String> names, Release release) {
    return updateFailures(tenant, names, release.packageName(), release.version(), clock.now());
  }

  @Query(
      """
      UPDATE upgrade SET failure_cleared_at = :now
      WHERE tenant = :tenant AND device IN (:names) AND package = :packageName AND version = :version
      """
          + COUNTS)
  abstract int updateFailures(String tenant, Collection<String> names, String packageName, String version, Instant now);
}
