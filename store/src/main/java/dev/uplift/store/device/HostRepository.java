package dev.uplift.store.device;

import dev.uplift.fleet.HostId;
import dev.uplift.store.Cursor;
import dev.uplift.store.Database;
import dev.uplift.store.LineCodec;
import dev.uplift.store.Page;
import dev.uplift.store.PageRequest;
import dev.uplift.store.PagedQuery;
import dev.uplift.store.RowReader;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.PreparedBatch;

/// The tables `host`, `host_version` and `host_heartbeat`: what each host last said, and when. Only a
/// copy for lists and counts: whether a host is there now, presence knows.
public final class HostRepository {
  private static final Comparator<HeartbeatRow> LOCK_ORDER =
      Comparator.comparing(HeartbeatRow::tenant).thenComparing(heartbeatRow -> heartbeatRow.host().value());

  private final Database database;
  private final InstantSource clock;

  public HostRepository(Database database, InstantSource clock) {
    this.database = database;
    this.clock = clock;
  }

  /// Takes what a host says of itself. One that is on no device is kept too, and shows in lists.
  /// What is older than what is there changes nothing. Returns false if there is no such tenant.
  public boolean recordInfo(String tenant, HostId host, HostInfo info) {
    return database.withHandle(handle -> {
      var table = new HostStatements(handle);
      Optional<HostStatements.KnownVersions> known = table.lock(tenant, host);
      if (known.isEmpty()) {
        table.insert(tenant, host);
        known = table.lock(tenant, host);
      }
      known
          .filter(found -> !found.hasInfoNewerThan(info.receivedAt()))
          .ifPresent(found -> applyInfo(table, tenant, host, info, found));
      return known.isPresent();
    });
  }

  private static void applyInfo(
      HostStatements table, String tenant, HostId host, HostInfo info, HostStatements.KnownVersions found) {
    table.updateInfo(tenant, host, info);
    if (!found.hasVersionsNewerThan(info.receivedAt())
        && !found.versions().equals(LineCodec.encode(info.versions()))) {
      table.setVersions(tenant, host, info.versions(), info.receivedAt());
    }
  }

  /// Takes the newest beat of each of many hosts, in one transaction, which locks their rows; a
  /// hundred at once is a good number. Beats of hosts that nobody knows, and those older than what
  /// is there, are left out.
  public void recordHeartbeats(Collection<HeartbeatRow> beats) {
    // Two servers hear the same beats: in one order neither waits for the other in a circle.
    List<HeartbeatRow> sorted = beats.stream().sorted(LOCK_ORDER).toList();
    database.withHandle(handle -> {
      var table = new HostStatements(handle);
      upsertHeartbeats(table, sorted);
      updateVersions(table, sorted);
      return sorted.size();
    });
  }

  private static void upsertHeartbeats(HostStatements table, List<HeartbeatRow> beats) {
    int[] known =
        table.executeBatch(
            """
            UPDATE host_heartbeat SET instance = :instance, boot_id = :boot, state = :state,
              versions = :versions, received_at = :at
            WHERE tenant = :tenant AND host = :host AND received_at <= :at\
            """,
            beats,
            HostRepository::bindHeartbeat);
    table.executeBatch(
        """
        INSERT INTO host_heartbeat (tenant, host, instance, boot_id, state, versions, received_at)
        SELECT tenant, name, :instance, :boot, :state, :versions, :at FROM host
        WHERE tenant = :tenant AND name = :host
        ON CONFLICT DO NOTHING\
        """,
        selectByCount(beats, known, 0),
        HostRepository::bindHeartbeat);
  }

  private static void bindHeartbeat(PreparedBatch batch, HeartbeatRow heartbeatRow) {
    batch.bind("instance", heartbeatRow.instance()).bind("boot", heartbeatRow.bootId()).bind("state", heartbeatRow.state());
  }

  private static void updateVersions(HostStatements table, List<HeartbeatRow> beats) {
    int[] changed =
        table.executeBatch(
            """
            UPDATE host SET versions = :versions, versions_at = :at
            WHERE tenant = :tenant AND name = :host AND versions <> :versions
            AND (versions_at IS NULL OR versions_at <= :at)
            AND (info_received_at IS NULL OR info_received_at <= :at)\
            """,
            beats,
            (_, _) -> {});
    for (HeartbeatRow heartbeatRow : selectByCount(beats, changed, 1)) {
      table.replaceVersions(heartbeatRow.tenant(), heartbeatRow.host(), heartbeatRow.versions());
    }
  }

  private static List<HeartbeatRow> selectByCount(List<HeartbeatRow> beats, int[] counts, int count) {
    return IntStream.range(0, beats.size())
        .filter(i -> counts[i] == count)
        .mapToObj(beats::get)
        .toList();
  }

  /// What the host said is gone, and with it the host. Returns false if it is on a device: then
  /// nothing happens. One that goes on speaking appears again.
  public boolean deleteUnassigned(String tenant, HostId host) {
    return database.withHandle(handle -> {
      handle
          .createUpdate(
              "DELETE FROM host WHERE tenant = :tenant AND name = :host AND device IS NULL")
          .bind("tenant", tenant)
          .bind("host", host.value())
          .execute();
      return find(handle, tenant, host).isEmpty();
    });
  }

  /// What the host said and showed is forgotten; on which device it is stays.
  public void clearReports(String tenant, HostId host) {
    database.withHandle(handle -> {
      new HostStatements(handle).clearReports(tenant, host);
      return true;
    });
  }

  public Optional<HostRow> find(String tenant, HostId host) {
    return database.withHandle(handle -> find(handle, tenant, host));
  }

  private Optional<HostRow> find(Handle handle, String tenant, HostId host) {
    return handle
        .createQuery(HostStatements.SELECT + " AND host.name = :host")
        .bind("tenant", tenant)
        .bind("host", host.value())
        .bind("now", clock.instant())
        .map(HostStatements.ROW)
        .findOne();
  }

  /// Those of these devices, by device.
  public Map<String, List<HostRow>> findByDevices(String tenant, Collection<String> devices) {
    return database.withHandle(handle -> {
      Map<String, List<HostRow>> found = new HashMap<>();
      // Each by its key: for a list H2 would read all hosts of the tenant.
      for (String device : Set.copyOf(devices)) {
        found.put(
            device,
            handle
                .createQuery(HostStatements.SELECT + " AND host.device = :device")
                .bind("tenant", tenant)
                .bind("device", device)
                .bind("now", clock.instant())
                .map(HostStatements.ROW)
                .list());
      }
      return found;
    });
  }

  /// By id, those on no device too.
  public Page<HostRow> list(String tenant, PageRequest page) {
    String after = Cursor.of(page, 1).map(cursor -> cursor.part(0)).orElse("");
    List<HostRow> rows =
        database.withHandle(handle ->
            new PagedQuery("host.tenant, host.name", HostStatements.SELECT)
                .bind("tenant", tenant)
                .bind("now", clock.instant())
                .and("host.name > :after")
                .bind("after", after)
                .fetch(handle, page, HostStatements.ROW));
    return Cursor.toPage(rows, page, row -> Cursor.encode(row.host().value()));
  }

  public VersionCounts countVersions(String tenant, String packageName) {
    Instant now = clock.instant();
    List<CountedVersion> counted = database.withHandle(handle -> count(handle, tenant, packageName));
    var known = new ArrayList<VersionCounts.Count>();
    var unknown = new VersionCounts.Count("unknown", 0, 0);
    for (CountedVersion found : counted) {
      if (found.isKnown()) {
        known.add(found.count());
      } else {
        unknown = found.count();
      }
    }
    Optional<Instant> oldest =
        counted.stream().flatMap(found -> found.oldestReportAt().stream()).min(Comparator.naturalOrder());
    return new VersionCounts(packageName, known, unknown, now, oldest);
  }

  private record CountedVersion(VersionCounts.Count count, boolean isKnown, Optional<Instant> oldestReportAt) {}

  private static List<CountedVersion> count(Handle handle, String tenant, String packageName) {
    return handle
        .createQuery(
            """
            SELECT v.version, COUNT(*) AS hosts, COUNT(DISTINCT host.device) AS devices,
              MIN(CASE WHEN v.version IS NOT NULL
                THEN COALESCE(beat.received_at, host.info_received_at) END) AS oldest
            FROM host
            LEFT JOIN host_version v
              ON v.tenant = host.tenant AND v.host = host.name AND v.package = :package
            LEFT JOIN host_heartbeat beat
              ON beat.tenant = host.tenant AND beat.host = host.name
            WHERE host.tenant = :tenant AND host.device IS NOT NULL
            GROUP BY v.version ORDER BY hosts DESC, v.version\
            """)
        .bind("tenant", tenant)
        .bind("package", packageName)
        .map(
            RowReader.mapper(row -> {
              Optional<String> version = row.optionalText("version");
              return new CountedVersion(
                  new VersionCounts.Count(
                      version.orElse("unknown"), row.longValue("hosts"), row.longValue("devices")),
                  version.isPresent(),
                  row.optionalInstant("oldest"));
            }))
        .list();
  }
}
