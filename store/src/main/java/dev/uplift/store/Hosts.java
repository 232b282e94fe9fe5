package dev.uplift.store;

import dev.uplift.fleet.HostId;
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

/// The tables `host`, `host_version` and `host_beat`: what each host last said, and when. Only a
/// copy for lists and counts: whether a host is there now, presence knows.
public final class Hosts {
  private static final Comparator<Beat> ALWAYS_THE_SAME_ORDER =
      Comparator.comparing(Beat::tenant).thenComparing(beat -> beat.host().value());

  private final Database database;
  private final InstantSource clock;

  public Hosts(Database database, InstantSource clock) {
    this.database = database;
    this.clock = clock;
  }

  /// Takes what a host says of itself. One that is on no device is kept too, and shows in lists.
  /// What is older than what is there changes nothing. Returns false if there is no such tenant.
  public boolean said(String tenant, HostId host, HostInfo info) {
    return database.run(handle -> {
      var table = new HostTable(handle);
      Optional<HostTable.Known> known = table.lock(tenant, host);
      if (known.isEmpty()) {
        table.insert(tenant, host);
        known = table.lock(tenant, host);
      }
      known
          .filter(found -> !found.knowsNewerThan(info.at()))
          .ifPresent(found -> take(table, tenant, host, info, found));
      return known.isPresent();
    });
  }

  private static void take(
      HostTable table, String tenant, HostId host, HostInfo info, HostTable.Known found) {
    table.inform(tenant, host, info);
    if (!found.hasVersionsNewerThan(info.at())
        && !found.versions().equals(Lines.write(info.versions()))) {
      table.setVersions(tenant, host, info.versions(), info.at());
    }
  }

  /// Takes the newest beat of each of many hosts, in one transaction, which locks their rows; a
  /// hundred at once is a good number. Beats of hosts that nobody knows, and those older than what
  /// is there, are left out.
  public void heard(Collection<Beat> beats) {
    // Two servers hear the same beats: in one order neither waits for the other in a circle.
    List<Beat> sorted = beats.stream().sorted(ALWAYS_THE_SAME_ORDER).toList();
    database.run(handle -> {
      var table = new HostTable(handle);
      beat(table, sorted);
      changeVersions(table, sorted);
      return sorted.size();
    });
  }

  private static void beat(HostTable table, List<Beat> beats) {
    int[] known =
        table.each(
            """
            UPDATE host_beat SET instance = :instance, boot_id = :boot, state = :state,
              versions = :versions, beat_at = :at
            WHERE tenant = :tenant AND host = :host AND beat_at <= :at\
            """,
            beats,
            Hosts::bindAll);
    table.each(
        """
        INSERT INTO host_beat (tenant, host, instance, boot_id, state, versions, beat_at)
        SELECT tenant, name, :instance, :boot, :state, :versions, :at FROM host
        WHERE tenant = :tenant AND name = :host
        ON CONFLICT DO NOTHING\
        """,
        those(beats, known, 0),
        Hosts::bindAll);
  }

  private static void bindAll(PreparedBatch batch, Beat beat) {
    batch.bind("instance", beat.instance()).bind("boot", beat.bootId()).bind("state", beat.state());
  }

  private static void changeVersions(HostTable table, List<Beat> beats) {
    int[] changed =
        table.each(
            """
            UPDATE host SET versions = :versions, versions_at = :at
            WHERE tenant = :tenant AND name = :host AND versions <> :versions
            AND (versions_at IS NULL OR versions_at <= :at)
            AND (informed_at IS NULL OR informed_at <= :at)\
            """,
            beats,
            (_, _) -> {});
    for (Beat beat : those(beats, changed, 1)) {
      table.countVersions(beat.tenant(), beat.host(), beat.versions());
    }
  }

  private static List<Beat> those(List<Beat> beats, int[] counts, int count) {
    return IntStream.range(0, beats.size())
        .filter(i -> counts[i] == count)
        .mapToObj(beats::get)
        .toList();
  }

  /// What the host said is gone, and with it the host. Returns false if it is on a device: then
  /// nothing happens. One that goes on speaking appears again.
  public boolean forget(String tenant, HostId host) {
    return database.run(handle -> {
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
  public void forgetWords(String tenant, HostId host) {
    database.run(handle -> {
      new HostTable(handle).forgetWords(tenant, host);
      return true;
    });
  }

  public Optional<HostRow> find(String tenant, HostId host) {
    return database.run(handle -> find(handle, tenant, host));
  }

  private Optional<HostRow> find(Handle handle, String tenant, HostId host) {
    return handle
        .createQuery(HostTable.SELECT + " AND host.name = :host")
        .bind("tenant", tenant)
        .bind("host", host.value())
        .bind("now", clock.instant())
        .map(HostTable.ROW)
        .findOne();
  }

  /// Those of these devices, by device.
  public Map<String, List<HostRow>> of(String tenant, Collection<String> devices) {
    return database.run(handle -> {
      Map<String, List<HostRow>> found = new HashMap<>();
      // Each by its key: for a list H2 would read all hosts of the tenant.
      for (String device : Set.copyOf(devices)) {
        found.put(
            device,
            handle
                .createQuery(HostTable.SELECT + " AND host.device = :device")
                .bind("tenant", tenant)
                .bind("device", device)
                .bind("now", clock.instant())
                .map(HostTable.ROW)
                .list());
      }
      return found;
    });
  }

  /// By id, those on no device too.
  public Page<HostRow> list(String tenant, PageRequest page) {
    String after = Cursor.of(page, 1).map(cursor -> cursor.part(0)).orElse("");
    List<HostRow> rows =
        database.run(handle ->
            new Question("host.tenant, host.name", HostTable.SELECT)
                .with("tenant", tenant)
                .with("now", clock.instant())
                .and("host.name > :after")
                .with("after", after)
                .rows(handle, page, HostTable.ROW));
    return Cursor.page(rows, page, row -> Cursor.write(row.host().value()));
  }

  public VersionCounts versions(String tenant, String packageName) {
    Instant now = clock.instant();
    List<Counted> counted = database.run(handle -> count(handle, tenant, packageName));
    var known = new ArrayList<VersionCounts.Count>();
    var unknown = new VersionCounts.Count("unknown", 0, 0);
    for (Counted found : counted) {
      if (found.isKnown()) {
        known.add(found.count());
      } else {
        unknown = found.count();
      }
    }
    Optional<Instant> oldest =
        counted.stream().flatMap(found -> found.oldest().stream()).min(Comparator.naturalOrder());
    return new VersionCounts(packageName, known, unknown, now, oldest);
  }

  private record Counted(VersionCounts.Count count, boolean isKnown, Optional<Instant> oldest) {}

  private static List<Counted> count(Handle handle, String tenant, String packageName) {
    return handle
        .createQuery(
            """
            SELECT v.version, COUNT(*) AS hosts, COUNT(DISTINCT host.device) AS devices,
              MIN(CASE WHEN v.version IS NOT NULL
                THEN COALESCE(beat.beat_at, host.informed_at) END) AS oldest
            FROM host
            LEFT JOIN host_version v
              ON v.tenant = host.tenant AND v.host = host.name AND v.package = :package
            LEFT JOIN host_beat beat
              ON beat.tenant = host.tenant AND beat.host = host.name
            WHERE host.tenant = :tenant AND host.device IS NOT NULL
            GROUP BY v.version ORDER BY hosts DESC, v.version\
            """)
        .bind("tenant", tenant)
        .bind("package", packageName)
        .map(
            Columns.as(row -> {
              Optional<String> version = row.maybeText("version");
              return new Counted(
                  new VersionCounts.Count(
                      version.orElse("unknown"), row.number("hosts"), row.number("devices")),
                  version.isPresent(),
                  row.maybeTime("oldest"));
            }))
        .list();
  }
}
