package dev.uplift.store.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.uplift.fleet.HostId;
import dev.uplift.store.DatabaseScenario;
import dev.uplift.store.Page;
import dev.uplift.store.PageRequest;
import dev.uplift.store.enrolment.EnrolmentStatus;
import dev.uplift.store.pin.HostHold;
import dev.uplift.store.pin.HostHoldRepository;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class HostRepositoryTest extends DatabaseScenario {
  private static final HostId LEFT = new HostId("left");

  private HostRepository hosts = database.repository(HostRepository.class);
  private DeviceRepository devices = database.repository(DeviceRepository.class);

  @BeforeEach
  void open() {
    hosts = database.repository(HostRepository.class);
    devices = database.repository(DeviceRepository.class);
  }

  @Test
  void reportsOfAHostAreStored() {
    devices.put(spec("site", "left"), Precondition.absent());
    HostInfo info = info(Map.of("os", "1.4", "shopd", "2.0"), clock.instant());

    assertThat(hosts.recordInfo(tenant, LEFT, info, List.of(), List.of())).isEqualTo(RecordedInfo.RECORDED);

    assertThat(hosts.find(tenant, LEFT))
        .contains(
            new HostRow(
                tenant,
                LEFT,
                Optional.of("site"),
                Optional.of(info),
                Optional.empty(),
                Map.of("os", "1.4", "shopd", "2.0"),
                EnrolmentStatus.NONE));
  }

  @Test
  void aHostOfADeviceExistsBeforeItsFirstReport() {
    devices.put(spec("site", "left"), Precondition.absent());

    HostRow row = hosts.find(tenant, LEFT).orElseThrow();

    assertThat(row.info()).isEmpty();
    assertThat(row.heartbeat()).isEmpty();
    assertThat(row.versions()).isEmpty();
  }

  @Test
  void aHostThatReportsExistsBeforeItIsOnADevice() {
    hosts.recordInfo(tenant, LEFT, info(Map.of("os", "1.4"), clock.instant()), List.of(), List.of());
    assertThat(hosts.find(tenant, LEFT).orElseThrow().device()).isEmpty();

    devices.put(spec("site", "left"), Precondition.absent());
    HostRow row = hosts.find(tenant, LEFT).orElseThrow();
    assertThat(row.device()).contains("site");
    assertThat(row.versions()).containsEntry("os", "1.4");
  }

  @Test
  void whatHostsRunIsReadOfNeighbouringDevicesAtOnce() {
    devices.put(spec("one", "left", "silent"), Precondition.absent());
    devices.put(spec("three", "right"), Precondition.absent());
    devices.put(spec("two", "far"), Precondition.absent());
    HostInfo info = info(Map.of("os", "1.4", "a=b", "1\n2"), clock.instant());
    hosts.recordInfo(tenant, LEFT, info, List.of(), List.of());
    hosts.recordHeartbeats(List.of(beat("left", Map.of("os", "1.5"), clock.instant().plusSeconds(1))));
    hosts.recordInfo(tenant, new HostId("nowhere"), info, List.of(), List.of());
    long before = database.counts().statements();

    Map<String, List<HostSoftware>> found = hosts.findSoftware(tenant, "one", "three");

    assertThat(database.counts().statements() - before).isEqualTo(1);
    assertThat(found).containsOnlyKeys("one", "three");
    assertThat(found.get("one"))
        .containsExactlyInAnyOrder(software("left"), software("silent"))
        .contains(
            new HostSoftware(
                LEFT,
                Optional.of("one"),
                Map.of("os", "1.5"),
                Optional.of(info.versions()),
                Optional.of(List.of("bundle", "script"))));
    assertThat(found.get("three")).containsExactly(software("right"));
  }

  private HostSoftware software(String host) {
    return hosts.find(tenant, new HostId(host)).orElseThrow().software();
  }

  @Test
  void reportsStayWhenAHostMovesToAnotherDevice() {
    devices.put(spec("one", "left", "silent"), Precondition.absent());
    hosts.recordInfo(tenant, LEFT, info(Map.of("os", "1.4"), clock.instant()), List.of(), List.of());
    devices.remove(device("one"), Precondition.anything());

    assertThat(hosts.find(tenant, LEFT).orElseThrow().device()).isEmpty();
    assertThat(hosts.find(tenant, new HostId("silent"))).isEmpty();
    devices.put(spec("two", "left"), Precondition.absent());
    assertThat(hosts.find(tenant, LEFT).orElseThrow().versions()).containsEntry("os", "1.4");
  }

  @Test
  void aHostIsDeletedOnlyIfItIsOnNoDevice() {
    devices.put(spec("site", "left"), Precondition.absent());
    hosts.recordInfo(tenant, LEFT, info(Map.of("os", "1"), clock.instant()), List.of(), List.of());
    hosts.recordHeartbeats(List.of(beat("left", Map.of("os", "1"), clock.instant())));
    assertThat(hosts.deleteUnassigned(tenant, LEFT)).isFalse();
    assertThat(hosts.find(tenant, LEFT)).isPresent();

    devices.remove(device("site"), Precondition.anything());
    assertThat(hosts.deleteUnassigned(tenant, LEFT)).isTrue();
    assertThat(hosts.find(tenant, LEFT)).isEmpty();
  }

  @Test
  void olderReportsChangeNothing() {
    Instant early = clock.instant();
    Instant late = clock.advance(Duration.ofMinutes(1));
    hosts.recordInfo(tenant, LEFT, info(Map.of("os", "2"), late), List.of(), List.of());
    hosts.recordInfo(tenant, LEFT, info(Map.of("os", "1"), early), List.of(), List.of());
    assertThat(versions()).containsExactly(Map.entry("os", "2"));

    Instant later = clock.advance(Duration.ofMinutes(1));
    HeartbeatRow newest = beat("left", Map.of("os", "3"), later);
    hosts.recordHeartbeats(List.of(newest));
    hosts.recordHeartbeats(List.of(beat("left", Map.of("os", "1"), early)));
    hosts.recordInfo(tenant, LEFT, info(Map.of("os", "2"), late.plusSeconds(1)), List.of(), List.of());
    assertThat(versions()).containsExactly(Map.entry("os", "3"));
    assertThat(hosts.find(tenant, LEFT).orElseThrow().heartbeat()).contains(newest);
  }

  @Test
  void heartbeatsAreWrittenInBatchesWithoutUnknownHosts() {
    devices.put(spec("site", "left", "right"), Precondition.absent());
    Instant now = clock.instant();

    hosts.recordHeartbeats(
        List.of(
            beat("right", Map.of("os", "2"), now),
            beat("left", Map.of("os", "1"), now),
            beat("stranger", Map.of("os", "9"), now)));

    assertThat(versions()).containsExactly(Map.entry("os", "1"));
    assertThat(hosts.find(tenant, new HostId("right")).orElseThrow().versions()).containsExactly(Map.entry("os", "2"));
    assertThat(hosts.find(tenant, new HostId("stranger"))).isEmpty();
    hosts.recordHeartbeats(List.of());
  }

  @Test
  void aPackageThatIsNoLongerReportedIsUnknown() {
    devices.put(spec("site", "left"), Precondition.absent());
    hosts.recordHeartbeats(List.of(beat("left", Map.of("os", "1", "shopd", "1"), clock.instant())));
    Instant later = clock.advance(Duration.ofMinutes(1));

    hosts.recordHeartbeats(List.of(beat("left", Map.of("os", "1"), later)));

    assertThat(hosts.countVersions(tenant, "shopd").known()).isEmpty();
    assertThat(hosts.countVersions(tenant, "os").known()).hasSize(1);
  }

  @Test
  void versionsAreCountedByHostAndDeviceIncludingUnknownOnes() {
    devices.put(spec("one", "a", "b", "c"), Precondition.absent());
    devices.put(spec("two", "d", "e"), Precondition.absent());
    devices.put(spec("three", "f"), Precondition.absent());
    Instant first = clock.instant();
    hosts.recordHeartbeats(List.of(beat("a", Map.of("os", "1"), first), beat("b", Map.of("os", "1"), first)));
    Instant second = clock.advance(Duration.ofMinutes(1));
    hosts.recordHeartbeats(
        List.of(
            beat("a", Map.of("os", "1"), second),
            beat("b", Map.of("os", "1"), second),
            beat("c", Map.of("os", "2"), second),
            beat("d", Map.of("os", "1"), second),
            beat("e", Map.of("shopd", "1"), first)));
    // On no device.
    hosts.recordInfo(tenant, new HostId("loose"), info(Map.of("os", "1"), first), List.of(), List.of());
    Instant now = clock.advance(Duration.ofMinutes(1));

    assertThat(hosts.countVersions(tenant, "os"))
        .isEqualTo(
            new VersionCounts(
                "os",
                List.of(new VersionCounts.Count("1", 3, 2), new VersionCounts.Count("2", 1, 1)),
                new VersionCounts.Count("unknown", 2, 2),
                now,
                Optional.of(second)));
  }

  @Test
  void aPackageThatNoHostHasIsUnknownEverywhere() {
    devices.put(spec("one", "a", "b"), Precondition.absent());

    VersionCounts counts = hosts.countVersions(tenant, "nothing");

    assertThat(counts.known()).isEmpty();
    assertThat(counts.unknown()).isEqualTo(new VersionCounts.Count("unknown", 2, 1));
    assertThat(counts.oldestReportAt()).isEmpty();
  }

  @Test
  void hostsAreListedPageByPageIncludingThoseOnNoDevice() {
    devices.put(spec("site", "c", "a"), Precondition.absent());
    hosts.recordInfo(tenant, new HostId("b"), info(Map.of(), clock.instant()), List.of(), List.of());

    Page<HostRow> first = hosts.list(tenant, PageRequest.first(2));
    Page<HostRow> second = hosts.list(tenant, PageRequest.first(2).next(first).orElseThrow());

    assertThat(first.rows()).extracting(row -> row.host().value()).containsExactly("a", "b");
    assertThat(second.rows()).extracting(row -> row.host().value()).containsExactly("c");
    assertThat(second.next()).isEmpty();
  }

  @Test
  void aTenantThatDoesNotExistHasNoReports() {
    assertThat(hosts.recordInfo("unknown", LEFT, info(Map.of(), clock.instant()), List.of(), List.of()))
        .isEqualTo(RecordedInfo.NO_TENANT);
    hosts.recordHeartbeats(List.of(new HeartbeatRow("unknown", LEFT, "i", "b", "running", Map.of(), clock.instant())));
    assertThat(hosts.find("unknown", LEFT)).isEmpty();
  }

  @Test
  void theInfosOfManyHostsAreRecordedTogetherAsIfOneByOne() {
    devices.put(spec("site", "left", "right", "far"), Precondition.absent());
    Instant now = clock.instant();
    hosts.recordInfo(tenant, LEFT, info(Map.of("os", "1", "gone", "1"), now), List.of(), List.of());
    hosts.recordInfo(tenant, new HostId("far"), info(Map.of("os", "2"), now.plusSeconds(9)), List.of(), List.of());
    var hold = new HostHold("os", "tests", "root", now, Optional.empty());

    List<RecordedInfo> recorded =
        hosts.recordInfos(
            List.of(
                reported(tenant, "left", Map.of("os", "2", "new", "1")),
                reported("unknown", "left", Map.of("os", "2")),
                new ReportedInfo(tenant, new HostId("right"), info(Map.of(), now), List.of(hold), List.of()),
                reported(tenant, "far", Map.of("os", "1")),
                reported(tenant, "loose", Map.of("os", "2"))));

    assertThat(recorded)
        .containsExactly(
            RecordedInfo.RECORDED,
            RecordedInfo.NO_TENANT,
            RecordedInfo.CHANGED,
            RecordedInfo.RECORDED,
            RecordedInfo.RECORDED);
    assertThat(versions()).containsOnly(Map.entry("os", "2"), Map.entry("new", "1"));
    assertThat(software("right").versions()).isEmpty();
    assertThat(software("far").versions()).as("an older info").containsExactly(Map.entry("os", "2"));
    assertThat(software("loose").versions()).containsExactly(Map.entry("os", "2"));
    assertThat(hosts.countVersions(tenant, "os").known())
        .extracting(VersionCounts.Count::version, VersionCounts.Count::hosts)
        .containsExactly(tuple("2", 2L));
  }

  @Test
  void anotherHostOfABatchAddsOneStatement() {
    devices.put(spec("site", "left", "right"), Precondition.absent());
    List<ReportedInfo> both =
        List.of(reported(tenant, "left", Map.of("os", "2")), reported(tenant, "right", Map.of("os", "2")));
    long before = database.counts().statements();

    hosts.recordInfos(both);

    assertThat(database.counts().statements() - before).as("two locks, infos, versions, changes").isEqualTo(5);
  }

  private ReportedInfo reported(String tenantName, String host, Map<String, String> versions) {
    return new ReportedInfo(tenantName, new HostId(host), info(versions, clock.instant()), List.of(), List.of());
  }

  @Test
  void whatAnOwnerHoldsIsThatOfTheNewestInfo() {
    HostHoldRepository holds = database.repository(HostHoldRepository.class);
    var hold = new HostHold("os", "tests", "root", clock.instant(), Optional.empty());
    HostInfo info = info(Map.of("os", "1.4"), clock.instant());

    assertThat(hosts.recordInfo(tenant, LEFT, info, List.of(hold), List.of())).isEqualTo(RecordedInfo.CHANGED);
    assertThat(holds.find(tenant, LEFT)).extracting(HostHold::packageName).containsExactly("os");
    hosts.recordInfo(tenant, LEFT, info(Map.of(), clock.instant().minusSeconds(1)), List.of(), List.of());
    assertThat(holds.find(tenant, LEFT)).as("an older info").hasSize(1);
    assertThat(hosts.recordInfo(tenant, LEFT, info, List.of(hold), List.of()))
        .as("again")
        .isEqualTo(RecordedInfo.RECORDED);
    HostInfo last = info(Map.of(), clock.instant().plusSeconds(1));
    assertThat(hosts.recordInfo(tenant, LEFT, last, List.of(), List.of())).isEqualTo(RecordedInfo.CHANGED);
    assertThat(holds.find(tenant, LEFT)).isEmpty();
  }

  @Test
  void reportsMayHaveAnyText() {
    HostInfo info =
        new HostInfo(
            "{\"versions\":{\"a=b\":\"1\\n2\"}}",
            "",
            "arm64",
            List.of("bundle", "a\nb", ""),
            "",
            "",
            "odd",
            Map.of("a=b", "1\n2\r\\e", "", "="),
            clock.instant());

    hosts.recordInfo(tenant, LEFT, info, List.of(), List.of());

    assertThat(hosts.find(tenant, LEFT).orElseThrow().info()).contains(info);
  }

  private Map<String, String> versions() {
    return hosts.find(tenant, LEFT).orElseThrow().versions();
  }

  private static HostInfo info(Map<String, String> versions, Instant at) {
    return new HostInfo(
        "{\"said\": true}",
        "0.1.0",
        "amd64",
        List.of("bundle", "script"),
        "boot-1",
        "instance-1",
        "running",
        versions,
        at);
  }

  private HeartbeatRow beat(String host, Map<String, String> versions, Instant at) {
    return new HeartbeatRow(tenant, new HostId(host), "instance-1", "boot-1", "running", versions, at);
  }
}
