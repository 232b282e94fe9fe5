package dev.uplift.store.version;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.groups.Tuple.tuple;

import dev.uplift.fleet.HostId;
import dev.uplift.fleet.Outcome;
import dev.uplift.fleet.Release;
import dev.uplift.fleet.Step;
import dev.uplift.store.DatabaseScenario;
import dev.uplift.store.Page;
import dev.uplift.store.PageRequest;
import dev.uplift.store.command.CommandKey;
import dev.uplift.store.command.CommandRepository;
import dev.uplift.store.command.SignedCommand;
import dev.uplift.store.command.WaitingActivity;
import dev.uplift.store.device.DeviceRepository;
import dev.uplift.store.device.HeartbeatRow;
import dev.uplift.store.device.HostInfo;
import dev.uplift.store.device.HostRepository;
import dev.uplift.store.device.Precondition;
import dev.uplift.store.upgrade.NewUpgrade;
import dev.uplift.store.upgrade.UpgradeEnd;
import dev.uplift.store.upgrade.UpgradeRepository;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class HostVersionRepositoryTest extends DatabaseScenario {
  private static final HostId LEFT = new HostId("left");

  private HostVersionRepository versions = database.repository(HostVersionRepository.class);
  private HostRepository hosts = database.repository(HostRepository.class);
  private UpgradeRepository upgrades = database.repository(UpgradeRepository.class);

  @BeforeEach
  void putDevice() {
    versions = database.repository(HostVersionRepository.class);
    hosts = database.repository(HostRepository.class);
    upgrades = database.repository(UpgradeRepository.class);
    database.repository(DeviceRepository.class).put(spec("site", "left", "right"), Precondition.absent());
  }

  @Test
  void eachVersionIsKeptWithItsTimes() {
    Instant first = report(Map.of("os", "1", "shopd", "7"));
    Instant second = report(Map.of("os", "2", "shopd", "7"));
    Instant third = report(Map.of("os", "2"));

    assertThat(list(Optional.empty()))
        .extracting(HostVersionRow::packageName, HostVersionRow::version, HostVersionRow::previous)
        .containsExactly(
            tuple("shopd", Optional.empty(), Optional.of("7")),
            tuple("os", Optional.of("2"), Optional.of("1")),
            tuple("shopd", Optional.of("7"), Optional.empty()),
            tuple("os", Optional.of("1"), Optional.empty()));
    assertThat(list(Optional.of("os"))).extracting(HostVersionRow::since).containsExactly(second, first);
    assertThat(list(Optional.of("os")))
        .extracting(HostVersionRow::until)
        .containsExactly(Optional.empty(), Optional.of(second));
    assertThat(list(Optional.of("shopd")))
        .extracting(HostVersionRow::until)
        .containsExactly(Optional.empty(), Optional.of(third));
  }

  @Test
  void aReportWithoutAChangeWritesNothing() {
    report(Map.of("os", "1"));
    report(Map.of("os", "1"));
    hosts.recordInfo(tenant, LEFT, info(Map.of("os", "1"), clock.advance(Duration.ofMinutes(1))), List.of(), List.of());

    assertThat(list(Optional.empty())).hasSize(1);
  }

  @Test
  void aVersionBelongsToTheUpgradeThatHadChangedTheHost() {
    report(Map.of("os", "1"));
    startUpgrade("u1");
    command("u1", Step.PREPARE);
    report(Map.of("os", "by-hand"));
    command("u1", Step.UPGRADE);
    report(Map.of("os", "2"));
    upgrades.recordEnd(tenant, "u1", new UpgradeEnd(Outcome.UPGRADED, Optional.empty(), "[]"));
    clock.advance(Duration.ofMinutes(2));
    report(Map.of("os", "by-hand-again", "shopd", "1"));

    assertThat(list(Optional.of("os")))
        .extracting(row -> row.version().orElseThrow() + " " + row.upgrade().orElse("none"))
        .containsExactly("by-hand-again none", "2 u1", "by-hand none", "1 none");
    assertThat(list(Optional.of("shopd"))).extracting(HostVersionRow::upgrade).containsExactly(Optional.empty());
  }

  @Test
  void theUpgradeOfAnotherHostOfTheDeviceIsNotNamed() {
    report(Map.of("os", "1"));
    startUpgrade("u1");
    command("u1", Step.UPGRADE);
    Instant now = clock.advance(Duration.ofMinutes(1));

    hosts.recordHeartbeats(
        List.of(new HeartbeatRow(tenant, new HostId("right"), "i", "b", "running", Map.of("os", "2"), now)));

    assertThat(versions.list(tenant, new HostId("right"), Optional.empty(), PageRequest.first(10)).rows())
        .extracting(HostVersionRow::upgrade)
        .containsExactly(Optional.empty());
  }

  @Test
  void aLateReportOfTheEndOfAnUpgradeStillBelongsToIt() {
    report(Map.of("os", "1"));
    startUpgrade("u1");
    command("u1", Step.UPGRADE);
    upgrades.recordEnd(tenant, "u1", new UpgradeEnd(Outcome.UPGRADED, Optional.empty(), "[]"));
    clock.advance(Duration.ofSeconds(-30));
    report(Map.of("os", "2"));

    assertThat(list(Optional.of("os")).getFirst().upgrade()).contains("u1");
  }

  @Test
  void aHostWithAnotherIdentityHasReportedNothingYet() {
    report(Map.of("os", "1"));
    Instant cleared = clock.advance(Duration.ofMinutes(1));
    hosts.clearReports(tenant, LEFT);

    assertThat(list(Optional.of("os")))
        .extracting(HostVersionRow::version)
        .containsExactly(Optional.empty(), Optional.of("1"));
    assertThat(list(Optional.of("os")).getLast().until()).contains(cleared);
    assertThat(hosts.countVersions(tenant, "os").known()).isEmpty();
  }

  @Test
  void aLongHistoryIsReadInPages() {
    for (int version = 1; version <= 5; version++) {
      report(Map.of("os", Integer.toString(version)));
    }

    Page<HostVersionRow> first = versions.list(tenant, LEFT, Optional.empty(), PageRequest.first(3));
    Page<HostVersionRow> rest =
        versions.list(tenant, LEFT, Optional.empty(), PageRequest.first(3).next(first).orElseThrow());

    assertThat(first.rows()).extracting(row -> row.version().orElse("")).containsExactly("5", "4", "3");
    assertThat(rest.rows()).extracting(row -> row.version().orElse("")).containsExactly("2", "1");
    assertThat(rest.next()).isEmpty();
  }

  @Test
  void hostsAreCountedByDay() {
    report("left", Map.of("os", "1"));
    report("right", Map.of("os", "1", "shopd", "9"));
    clock.advance(Duration.ofDays(2));
    report("left", Map.of("os", "2"));
    clock.advance(Duration.ofDays(1));
    report("right", Map.of("os", "2"));

    assertThat(versions.countByDay(tenant, "os", 5))
        .extracting(DayVersions::hosts)
        .containsExactly(
            new TreeMap<>(),
            new TreeMap<>(Map.of("1", 2L)),
            new TreeMap<>(Map.of("1", 2L)),
            new TreeMap<>(Map.of("1", 1L, "2", 1L)),
            new TreeMap<>(Map.of("2", 2L)));
    assertThat(versions.countByDay(newTenant(), "os", 1).getFirst().hosts()).isEmpty();
  }

  @Test
  void onlyVersionsThatNoLongerRunGrowOld() {
    report(Map.of("os", "1"));
    Instant second = report(Map.of("os", "2"));
    report(Map.of("os", "3"));

    assertThat(versions.deleteOld(second)).isZero();
    assertThat(versions.deleteOld(second.plusMillis(1))).isEqualTo(1);
    assertThat(list(Optional.empty())).extracting(row -> row.version().orElse("")).containsExactly("3", "2");
    versions.deleteOld(clock.advance(Duration.ofDays(1000)));
    assertThat(list(Optional.empty())).extracting(row -> row.version().orElse("")).containsExactly("3");
  }

  @Test
  void theVersionsOfAHostGoWithIt() {
    hosts.recordInfo(tenant, new HostId("loose"), info(Map.of("os", "1"), clock.instant()), List.of(), List.of());

    assertThat(hosts.deleteUnassigned(tenant, new HostId("loose"))).isTrue();

    assertThat(versions.list(tenant, new HostId("loose"), Optional.empty(), PageRequest.first(10)).rows()).isEmpty();
  }

  @Test
  void versionsAreReplacedOnlyUnderTheLockOfTheHost() {
    assertThatThrownBy(() -> versions.replace(tenant, "left", Map.of("os", "1"), clock.instant()))
        .isInstanceOf(IllegalStateException.class);
  }

  private void startUpgrade(String id) {
    clock.advance(Duration.ofMinutes(1));
    upgrades.createIfAbsent(new NewUpgrade(id, device("site"), new Release("os", "2"), "ann", "{}", "run-1"));
  }

  private void command(String upgrade, Step step) {
    database
        .repository(CommandRepository.class)
        .createIfAbsent(
            new CommandKey(tenant, upgrade, LEFT, step, 1),
            new Release("os", "1"),
            new WaitingActivity("upgrade/site", "7"),
            basis -> new SignedCommand(basis.id(), "do it", "signed"));
  }

  private Instant report(Map<String, String> installed) {
    return report("left", installed);
  }

  private Instant report(String host, Map<String, String> installed) {
    Instant now = clock.advance(Duration.ofMinutes(1));
    hosts.recordHeartbeats(List.of(new HeartbeatRow(tenant, new HostId(host), "i", "b", "running", installed, now)));
    return now;
  }

  private static HostInfo info(Map<String, String> installed, Instant at) {
    return new HostInfo("{}", "0.1.0", "amd64", List.of(), "b", "i", "running", installed, at);
  }

  private List<HostVersionRow> list(Optional<String> packageName) {
    return versions.list(tenant, LEFT, packageName, PageRequest.first(100)).rows();
  }
}
