package dev.uplift.store.device;

import dev.uplift.fleet.DeviceId;
import dev.uplift.fleet.HostId;
import dev.uplift.fleet.HostState;
import dev.uplift.store.Cursor;
import dev.uplift.store.LineCodec;
import dev.uplift.store.Page;
import dev.uplift.store.PageRequest;
import dev.uplift.store.StoreClock;
import dev.uplift.store.Transacted;
import dev.uplift.store.device.HostStatements.InfoRow;
import dev.uplift.store.pin.HostHold;
import dev.uplift.store.pin.HostHoldRepository;
import dev.uplift.store.version.HostVersionRepository;
import dev.uplift.store.version.ReportedVersions;
import io.micronaut.data.annotation.Query;
import io.micronaut.data.jdbc.annotation.JdbcRepository;
import io.micronaut.data.model.query.builder.sql.Dialect;
import io.micronaut.data.repository.GenericRepository;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// The tables `host` and `host_heartbeat`: the last reports of each host. Only a copy for lists and counts: presence
/// decides whether a host is online now.
@JdbcRepository(dialect = Dialect.POSTGRES)
@Transacted
public abstract class HostRepository implements GenericRepository<HostEntity, String> {
  private static final Comparator<HeartbeatRow> LOCK_ORDER =
      Comparator.comparing(HeartbeatRow::tenant).thenComparing(row -> row.host().value());

  private static final String SELECT =
      """
      SELECT host.*, heartbeat.instance AS heartbeat_instance,
        heartbeat.boot_id AS heartbeat_boot_id, heartbeat.state AS heartbeat_state,
        heartbeat.versions AS heartbeat_versions, heartbeat.received_at AS heartbeat_received_at,
        CASE
          WHEN EXISTS (SELECT 1 FROM host_credential held WHERE held.tenant = host.tenant
            AND held.host = host.name AND held.revoked_at IS NULL) THEN 'enrolled'
          WHEN EXISTS (SELECT 1 FROM enrolment_token fresh WHERE fresh.tenant = host.tenant
            AND fresh.host = host.name AND fresh.used_at IS NULL AND fresh.expires_at > :now)
            THEN 'invited'
          WHEN EXISTS (SELECT 1 FROM host_credential held WHERE held.tenant = host.tenant
            AND held.host = host.name) THEN 'revoked'
          ELSE 'none' END AS enrolment
      FROM host
      LEFT JOIN host_heartbeat heartbeat
        ON heartbeat.tenant = host.tenant AND heartbeat.host = host.name
      WHERE host.tenant = :tenant AND\
      """;

  private static final String KEY = " WHERE tenant = :tenant AND name = :host";

  private final StoreClock clock;
  private final HostStatements statements;
  private final HostVersionRepository versions;
  private final HostHoldRepository holds;
  private final HostOfferRepository offers;

  protected HostRepository(
      StoreClock clock,
      HostStatements statements,
      HostVersionRepository versions,
      HostHoldRepository holds,
      HostOfferRepository offers) {
    this.clock = clock;
    this.statements = statements;
    this.versions = versions;
    this.holds = holds;
    this.offers = offers;
  }

  /// [#recordInfos] of one host.
  public RecordedInfo recordInfo(
      String tenant, HostId host, HostInfo info, List<HostHold> held, List<HostOffer> offered) {
    return recordInfos(List.of(new ReportedInfo(tenant, host, info, held, offered))).getFirst();
  }

  /// Records the infos of hosts in one transaction, which locks their rows in the order given. Info that is older than
  /// the recorded one changes nothing. What owners hold and repositories offer takes the place of what was recorded; of
  /// a package whose version is unknown, what was offered stays.
  ///
  /// @param reports each of another host
  /// @return the result of each, in the order given
  public List<RecordedInfo> recordInfos(List<ReportedInfo> reports) {
    List<InfoRow> changed = new ArrayList<>();
    List<ReportedVersions> versionReports = new ArrayList<>();
    List<RecordedInfo> results = new ArrayList<>();
    for (ReportedInfo report : reports) {
      Optional<KnownVersions> known = lockOrInsert(report.tenant(), report.host().value());
      if (known.isEmpty()) {
        results.add(RecordedInfo.NO_TENANT);
      } else if (known.get().hasInfoNewerThan(report.info().receivedAt())) {
        results.add(RecordedInfo.RECORDED);
      } else {
        boolean isChanged = isChanged(known.get(), report.info());
        changed.add(new InfoRow(report, isChanged));
        if (isChanged) {
          versionReports.add(versions(report, known.get()));
        }
        results.add(recordHoldsAndOffers(report, known.get()));
      }
    }
    statements.updateInfos(changed);
    versions.replace(versionReports);
    return List.copyOf(results);
  }

  private Optional<KnownVersions> lockOrInsert(String tenant, String host) {
    return lock(tenant, host)
        .or(() -> {
          insertIfAbsent(tenant, host);
          return lock(tenant, host);
        });
  }

  private static boolean isChanged(KnownVersions known, HostInfo info) {
    return !known.hasVersionsNewerThan(info.receivedAt())
        && !known.versions().equals(HostStatements.text(info.versions()));
  }

  private static ReportedVersions versions(ReportedInfo report, KnownVersions known) {
    HostInfo info = report.info();
    return new ReportedVersions(
        report.tenant(),
        report.host().value(),
        LineCodec.decodeMap(known.versions()),
        info.versions(),
        info.receivedAt());
  }

  private RecordedInfo recordHoldsAndOffers(ReportedInfo report, KnownVersions known) {
    String tenant = report.tenant();
    boolean isHeld = known.hasHolds() || !report.holds().isEmpty();
    boolean hasOtherHolds = isHeld && holds.record(tenant, report.host(), report.holds());
    boolean isOffered = known.hasOffers() || !report.offers().isEmpty();
    HostInfo info = report.info();
    boolean hasOtherOffers =
        isOffered && offers.record(tenant, report.host().value(), report.offers(), unmeasured(info), info.receivedAt());
    return hasOtherHolds || hasOtherOffers ? RecordedInfo.CHANGED : RecordedInfo.RECORDED;
  }

  private static Set<String> unmeasured(HostInfo info) {
    return info.versions().entrySet().stream()
        .filter(version -> version.getValue().equals(HostState.UNKNOWN))
        .map(Map.Entry::getKey)
        .collect(Collectors.toSet());
  }

  /// Records the newest heartbeat of each of many hosts in one transaction, which locks their rows; a hundred at once
  /// is a good number. Heartbeats of unknown hosts, and those older than the recorded ones, are ignored.
  public void recordHeartbeats(Collection<HeartbeatRow> received) {
    // Two servers receive the same heartbeats: in one order neither waits for the other in a
    // circle.
    List<HeartbeatRow> sorted = received.stream().sorted(LOCK_ORDER).toList();
    statements.insertIfAbsent(select(sorted, statements.update(sorted), 0));
    for (HeartbeatRow row : select(sorted, statements.updateVersions(sorted), 1)) {
      versions.replace(row.tenant(), row.host().value(), row.versions(), row.receivedAt());
    }
  }

  private static List<HeartbeatRow> select(List<HeartbeatRow> rows, int[] counts, int count) {
    return IntStream.range(0, rows.size()).filter(i -> counts[i] == count).mapToObj(rows::get).toList();
  }

  /// Removes a host that is on no device, with its reports. Returns false if it is on a device: then nothing happens. A
  /// host that continues to report appears again.
  public boolean deleteUnassigned(String tenant, HostId host) {
    deleteIfUnassigned(tenant, host.value());
    return find(tenant, host).isEmpty();
  }

  /// Removes the reports of the host; it stays on its device, and what it ran stays known.
  public void clearReports(String tenant, HostId host) {
    clearInfo(tenant, host.value());
    versions.replace(tenant, host.value(), Map.of(), clock.now());
    offers.clear(tenant, host.value());
    deleteHeartbeat(tenant, host.value());
  }

  public Optional<HostRow> find(String tenant, HostId host) {
    return findOne(tenant, host.value(), clock.now()).map(HostEntity::toRow);
  }

  /// The hosts of these devices, by device.
  public Map<String, List<HostRow>> findByDevices(String tenant, Collection<String> devices) {
    Map<String, List<HostRow>> found = new HashMap<>();
    // Each by its key: for a list H2 would read all hosts of the tenant.
    for (String device : Set.copyOf(devices)) {
      found.put(device, rows(listOfDevice(tenant, device, clock.now())));
    }
    return found;
  }

  /// What the hosts of a device run. One statement.
  public List<HostSoftware> findSoftware(DeviceId device) {
    return listSoftware(device.tenant(), device.name(), device.name());
  }

  /// What hosts run of the devices whose names are from `first` to `last`, by device. One statement.
  public Map<String, List<HostSoftware>> findSoftware(String tenant, String first, String last) {
    Map<String, List<HostSoftware>> found = new HashMap<>();
    listSoftware(tenant, first, last)
        .forEach(row -> found.computeIfAbsent(row.device().orElseThrow(), _ -> new ArrayList<>(1)).add(row));
    return found;
  }

  /// By id, including those on no device.
  public Page<HostRow> list(String tenant, PageRequest page) {
    String after = Cursor.of(page, 1).map(cursor -> cursor.part(0)).orElse("");
    return Cursor.toPage(
        rows(listAfter(tenant, after, page.limit() + 1, clock.now())), page, row -> Cursor.encode(row.host().value()));
  }

  /// Those on a device that have reported a package, by id.
  public Page<HostRow> listWithPackage(String tenant, String packageName, PageRequest page) {
    String after = Cursor.of(page, 1).map(cursor -> cursor.part(0)).orElse("");
    return Cursor.toPage(
        rows(listWithPackageAfter(tenant, packageName, after, page.limit() + 1, clock.now())),
        page,
        row -> Cursor.encode(row.host().value()));
  }

  private static List<HostRow> rows(List<HostEntity> found) {
    return found.stream().map(HostEntity::toRow).toList();
  }

  public VersionCounts countVersions(String tenant, String packageName) {
    Instant now = clock.now();
    List<CountedVersion> counted = countByVersion(tenant, packageName);
    return new VersionCounts(
        packageName,
        counted.stream().filter(CountedVersion::isKnown).map(CountedVersion::count).toList(),
        counted.stream()
            .filter(found -> !found.isKnown())
            .map(CountedVersion::count)
            .findFirst()
            .orElseGet(() -> new VersionCounts.Count("unknown", 0, 0)),
        now,
        counted.stream().flatMap(found -> Optional.ofNullable(found.oldest()).stream()).min(Comparator.naturalOrder()));
  }

  /// Locks the row until the end of the transaction.
  @Query(
      """
      SELECT versions, info_received_at, versions_at,
        (SELECT received_at FROM host_heartbeat heartbeat
          WHERE heartbeat.tenant = host.tenant AND heartbeat.host = host.name)
          AS heartbeat_received_at,
        EXISTS (SELECT 1 FROM host_hold held WHERE held.tenant = host.tenant AND held.host = host.name) AS has_holds,
        EXISTS (SELECT 1 FROM host_offer offer WHERE offer.tenant = host.tenant AND offer.host = host.name)
          AS has_offers
      FROM host\
      """
          + KEY
          + " FOR UPDATE")
  abstract Optional<KnownVersions> lock(String tenant, String host);

  /// Inserts nothing if the tenant does not exist.
  @Query(
      """
      INSERT INTO host (tenant, name) SELECT name, :host FROM tenant WHERE name = :tenant AND deleted_at IS NULL
      ON CONFLICT DO NOTHING\
      """)
  abstract int insertIfAbsent(String tenant, String host);

  @Query("DELETE FROM host_heartbeat WHERE tenant = :tenant AND host = :host")
  abstract int deleteHeartbeat(String tenant, String host);

  @Query(
      """
      UPDATE host SET info = NULL, agent_version = NULL, architecture = NULL, drivers = NULL,
        boot_id = NULL, instance = NULL, state = NULL, info_versions = NULL,
        info_received_at = NULL, versions = '', versions_at = NULL\
      """
          + KEY)
  abstract int clearInfo(String tenant, String host);

  @Query("DELETE FROM host" + KEY + " AND device IS NULL")
  abstract int deleteIfUnassigned(String tenant, String host);

  @Query(SELECT + " host.name = :host")
  abstract Optional<HostEntity> findOne(String tenant, String host, Instant now);

  @Query(SELECT + " host.device = :device")
  abstract List<HostEntity> listOfDevice(String tenant, String device, Instant now);

  @Query(
      """
      SELECT name, device, versions, info_versions, drivers FROM host
      WHERE tenant = :tenant AND device >= :first AND device <= :last\
      """)
  abstract List<HostSoftware> listSoftware(String tenant, String first, String last);

  @Query(SELECT + " host.name > :after ORDER BY host.tenant, host.name LIMIT :limit")
  abstract List<HostEntity> listAfter(String tenant, String after, int limit, Instant now);

  @Query(
      SELECT
          + """
           host.name > :after AND host.device IS NOT NULL
            AND EXISTS (SELECT 1 FROM host_version reported WHERE reported.tenant = host.tenant
              AND reported.package = :packageName AND reported.host = host.name)
          ORDER BY host.tenant, host.name LIMIT :limit\
          """)
  abstract List<HostEntity> listWithPackageAfter(
      String tenant, String packageName, String after, int limit, Instant now);

  @Query(
      """
      SELECT v.version, COUNT(*) AS hosts, COUNT(DISTINCT host.device) AS devices,
        MIN(CASE WHEN v.version IS NOT NULL
          THEN COALESCE(heartbeat.received_at, host.info_received_at) END) AS oldest
      FROM host
      LEFT JOIN host_version v
        ON v.tenant = host.tenant AND v.host = host.name AND v.package = :packageName
      LEFT JOIN host_heartbeat heartbeat
        ON heartbeat.tenant = host.tenant AND heartbeat.host = host.name
      WHERE host.tenant = :tenant AND host.device IS NOT NULL
      GROUP BY v.version ORDER BY hosts DESC, v.version\
      """)
  abstract List<CountedVersion> countByVersion(String tenant, String packageName);
}
