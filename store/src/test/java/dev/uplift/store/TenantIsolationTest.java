package dev.uplift.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.fleet.DeviceId;
import dev.uplift.fleet.HostId;
import dev.uplift.fleet.Outcome;
import dev.uplift.fleet.Release;
import dev.uplift.fleet.Step;
import dev.uplift.store.audit.AuditEntry;
import dev.uplift.store.audit.AuditRepository;
import dev.uplift.store.command.CommandKey;
import dev.uplift.store.command.CommandReport;
import dev.uplift.store.command.CommandRepository;
import dev.uplift.store.command.CommandRow;
import dev.uplift.store.command.HeartbeatWait;
import dev.uplift.store.command.HeartbeatWaitRepository;
import dev.uplift.store.command.SignedCommand;
import dev.uplift.store.command.WaitingActivity;
import dev.uplift.store.device.DeviceRepository;
import dev.uplift.store.device.DeviceSpec;
import dev.uplift.store.device.HeartbeatRow;
import dev.uplift.store.device.HostRepository;
import dev.uplift.store.device.Precondition;
import dev.uplift.store.device.RemoveResult;
import dev.uplift.store.device.SaveResult;
import dev.uplift.store.device.VersionCounts;
import dev.uplift.store.release.NewRelease;
import dev.uplift.store.release.PublishReleaseResult;
import dev.uplift.store.release.ReleaseRepository;
import dev.uplift.store.upgrade.FailureRepository;
import dev.uplift.store.upgrade.NewUpgrade;
import dev.uplift.store.upgrade.UpgradeEnd;
import dev.uplift.store.upgrade.UpgradeFilter;
import dev.uplift.store.upgrade.UpgradeRepository;
import dev.uplift.store.upgrade.UpgradeRow;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Two tenants use the same names, and neither sees or changes the data of the other.
final class TenantIsolationTest extends DatabaseScenario {
  private static final HostId HOST = new HostId("host");
  private static final Release RELEASE = new Release("os", "1");
  private static final PageRequest ALL = PageRequest.first(100);

  private String other = "";

  @BeforeEach
  void createOtherTenant() {
    other = newTenant();
  }

  @Test
  void devicesAndHosts() {
    var deviceRepository = database.repository(DeviceRepository.class);
    var hostRepository = database.repository(HostRepository.class);
    deviceRepository.put(site(tenant, "mine"), Precondition.absent());

    assertThat(deviceRepository.find(new DeviceId(other, "site"))).isEmpty();
    assertThat(deviceRepository.findByHost(other, HOST)).isEmpty();
    assertThat(deviceRepository.list(other, Map.of(), ALL).rows()).isEmpty();
    assertThat(deviceRepository.list(other, Map.of("of", "mine"), ALL).rows()).isEmpty();
    assertThat(hostRepository.find(other, HOST)).isEmpty();
    assertThat(hostRepository.list(other, ALL).rows()).isEmpty();
    assertThat(hostRepository.deleteUnassigned(other, HOST)).isTrue();
    assertThat(deviceRepository.remove(new DeviceId(other, "site"), Precondition.anything()))
        .isEqualTo(new RemoveResult.NotFound());

    // The same id names another host there.
    assertThat(deviceRepository.put(site(other, "theirs"), Precondition.absent()))
        .isInstanceOf(SaveResult.Created.class);
    hostRepository.recordHeartbeats(List.of(beat(tenant, "1"), beat(other, "2")));
    assertThat(hostRepository.find(tenant, HOST).orElseThrow().versions()).containsEntry("os", "1");
    assertThat(hostRepository.countVersions(other, "os").known()).containsExactly(new VersionCounts.Count("2", 1, 1));
    deviceRepository.remove(new DeviceId(other, "site"), Precondition.anything());
    assertThat(deviceRepository.list(tenant, Map.of("of", "mine"), ALL).rows()).hasSize(1);
    assertThat(hostRepository.countVersions(tenant, "os").known()).containsExactly(new VersionCounts.Count("1", 1, 1));
  }

  @Test
  void releases() {
    var releaseRepository = database.repository(ReleaseRepository.class);
    releaseRepository.put(release(tenant, "mine"));

    assertThat(releaseRepository.find(other, RELEASE)).isEmpty();
    assertThat(releaseRepository.findNewest(other, "os")).isEmpty();
    assertThat(releaseRepository.list(other, Optional.empty(), ALL).rows()).isEmpty();
    assertThat(releaseRepository.put(release(other, "theirs"))).isInstanceOf(PublishReleaseResult.Recorded.class);
    assertThat(releaseRepository.find(tenant, RELEASE).orElseThrow().manifest()).isEqualTo("mine");
  }

  @Test
  void upgrades() {
    var upgradeRepository = database.repository(UpgradeRepository.class);
    UpgradeRow mine = upgradeRepository.createIfAbsent(upgrade(tenant));

    assertThat(upgradeRepository.find(other, "u1")).isEmpty();
    assertThat(upgradeRepository.list(other, UpgradeFilter.ALL, ALL).rows()).isEmpty();
    assertThat(upgradeRepository.recordEnd(other, "u1", end())).isEmpty();
    assertThat(upgradeRepository.find(tenant, "u1")).contains(mine);

    upgradeRepository.createIfAbsent(upgrade(other));
    upgradeRepository.recordEnd(other, "u1", end());
    assertThat(upgradeRepository.find(tenant, "u1")).contains(mine);
    var failureRepository = database.repository(FailureRepository.class);
    assertThat(failureRepository.findFailureSinceSuccess(new DeviceId(tenant, "site"), RELEASE)).isEmpty();
    assertThat(failureRepository.findFailureSinceSuccess(new DeviceId(other, "site"), RELEASE)).isPresent();
  }

  @Test
  void commands() {
    var commandRepository = database.repository(CommandRepository.class);
    CommandRow mine = command(commandRepository, tenant);

    assertThat(commandRepository.find(other, HOST, mine.id())).isEmpty();
    assertThat(commandRepository.recordOutcome(other, HOST, mine.id(), "theirs")).isEmpty();
    commandRepository.record(List.of(CommandReport.accepted(other, HOST, mine.id(), clock.instant())));
    commandRepository.record(List.of(CommandReport.progress(other, HOST, mine.id(), "theirs")));
    commandRepository.record(List.of(CommandReport.published(other, mine.host(), mine.id(), 99, clock.instant())));
    assertThat(commandRepository.timeline(other, "u1")).isEmpty();
    CommandRow theirs = command(commandRepository, other);
    commandRepository.cancel(theirs.key(), (basis, _) -> new SignedCommand(basis.id(), "cancel", ""));

    assertThat(commandRepository.find(mine.key())).contains(mine);
    assertThat(theirs.id()).isNotEqualTo(mine.id());
    assertThat(commandRepository.timeline(tenant, "u1")).hasSize(1);
  }

  @Test
  void heartbeatWaitsAndAudit() {
    var heartbeatWaits = database.repository(HeartbeatWaitRepository.class);
    var auditRepository = database.repository(AuditRepository.class);
    heartbeatWaits.put(expectation(tenant));
    auditRepository.append(new AuditEntry(tenant, "ann", "device.put", "device/site", "", ""));

    assertThat(heartbeatWaits.find(other, HOST)).isEmpty();
    heartbeatWaits.remove(expectation(other));
    assertThat(heartbeatWaits.find(tenant, HOST)).isPresent();
    assertThat(auditRepository.list(other, Optional.empty(), ALL).rows()).isEmpty();
    assertThat(auditRepository.list(other, Optional.of("device/site"), ALL).rows()).isEmpty();
  }

  private static DeviceSpec site(String of, String label) {
    return new DeviceSpec(new DeviceId(of, "site"), List.of(HOST), Map.of("of", label), ZoneId.of("UTC"));
  }

  private HeartbeatRow beat(String of, String version) {
    return new HeartbeatRow(of, HOST, "i", "b", "running", Map.of("os", version), clock.instant());
  }

  private NewRelease release(String of, String text) {
    return new NewRelease(of, RELEASE, "script", 1, text, "", Optional.empty(), clock.instant());
  }

  private static NewUpgrade upgrade(String of) {
    return new NewUpgrade("u1", new DeviceId(of, "site"), RELEASE, "ann", "", "run-1");
  }

  private static UpgradeEnd end() {
    return new UpgradeEnd(Outcome.ROLLED_BACK, Optional.of(new UpgradeEnd.EndReason("error", "x", "final", "x")), "[]");
  }

  private static CommandRow command(CommandRepository commandRepository, String of) {
    return commandRepository.createIfAbsent(
        new CommandKey(of, "u1", HOST, Step.UPGRADE, 1),
        new Release("os", "1"),
        new WaitingActivity("w", "1"),
        basis -> new SignedCommand(basis.id(), "of " + of, ""));
  }

  private static HeartbeatWait expectation(String of) {
    return new HeartbeatWait(of, HOST, Step.AWAIT_HEARTBEAT, RELEASE, "", "", "", new WaitingActivity("w", "1"));
  }
}
