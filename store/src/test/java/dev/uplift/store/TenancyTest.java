package dev.uplift.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.fleet.DeviceId;
import dev.uplift.fleet.HostId;
import dev.uplift.fleet.Outcome;
import dev.uplift.fleet.Release;
import dev.uplift.fleet.Step;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Two tenants call everything by the same names, and neither sees or changes what is the other's.
final class TenancyTest extends OnBothDatabases {
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
    var devices = new Devices(database, clock);
    var hosts = new Hosts(database, clock);
    devices.put(site(tenant, "mine"), Expected.absent());

    assertThat(devices.find(new DeviceId(other, "site"))).isEmpty();
    assertThat(devices.ofHost(other, HOST)).isEmpty();
    assertThat(devices.list(other, Map.of(), ALL).rows()).isEmpty();
    assertThat(devices.list(other, Map.of("of", "mine"), ALL).rows()).isEmpty();
    assertThat(hosts.find(other, HOST)).isEmpty();
    assertThat(hosts.list(other, ALL).rows()).isEmpty();
    assertThat(hosts.forget(other, HOST)).isTrue();
    assertThat(devices.remove(new DeviceId(other, "site"), Expected.anything()))
        .isEqualTo(new Removal.NotThere());

    // The same host id is another host there.
    assertThat(devices.put(site(other, "theirs"), Expected.absent()))
        .isInstanceOf(Saved.Created.class);
    hosts.heard(List.of(beat(tenant, "1"), beat(other, "2")));
    assertThat(hosts.find(tenant, HOST).orElseThrow().versions()).containsEntry("os", "1");
    assertThat(hosts.versions(other, "os").known())
        .containsExactly(new VersionCounts.Count("2", 1, 1));
    devices.remove(new DeviceId(other, "site"), Expected.anything());
    assertThat(devices.list(tenant, Map.of("of", "mine"), ALL).rows()).hasSize(1);
    assertThat(hosts.versions(tenant, "os").known())
        .containsExactly(new VersionCounts.Count("1", 1, 1));
  }

  @Test
  void releases() {
    var releases = new Releases(database, clock);
    releases.put(release(tenant, "mine"));

    assertThat(releases.find(other, RELEASE)).isEmpty();
    assertThat(releases.newest(other, "os")).isEmpty();
    assertThat(releases.list(other, Optional.empty(), ALL).rows()).isEmpty();
    assertThat(releases.put(release(other, "theirs"))).isInstanceOf(Published.Recorded.class);
    assertThat(releases.find(tenant, RELEASE).orElseThrow().text()).isEqualTo("mine");
  }

  @Test
  void upgrades() {
    var upgrades = new Upgrades(database, clock);
    UpgradeRow mine = upgrades.begin(upgrade(tenant));

    assertThat(upgrades.find(other, "u1")).isEmpty();
    assertThat(upgrades.list(other, UpgradeFilter.ALL, ALL).rows()).isEmpty();
    assertThat(upgrades.end(other, "u1", end())).isEmpty();
    assertThat(upgrades.find(tenant, "u1")).contains(mine);

    upgrades.begin(upgrade(other));
    upgrades.end(other, "u1", end());
    assertThat(upgrades.find(tenant, "u1")).contains(mine);
    assertThat(upgrades.failedBefore(new DeviceId(tenant, "site"), RELEASE)).isEmpty();
    assertThat(upgrades.failedBefore(new DeviceId(other, "site"), RELEASE)).isPresent();
  }

  @Test
  void commands() {
    var commands = new Commands(database, clock);
    CommandRow mine = command(commands, tenant);

    assertThat(commands.find(other, HOST, mine.id())).isEmpty();
    assertThat(commands.settle(other, HOST, mine.id(), "theirs")).isEmpty();
    commands.accepted(other, HOST, mine.id(), clock.instant());
    commands.progressed(other, HOST, mine.id(), "theirs");
    commands.published(other, mine.id(), 99);
    assertThat(commands.timeline(other, "u1")).isEmpty();
    CommandRow theirs = command(commands, other);
    commands.cancel(theirs.key(), (id, _, _, _) -> new Written(id, "cancel", ""));

    assertThat(commands.find(mine.key())).contains(mine);
    assertThat(theirs.id()).isNotEqualTo(mine.id());
    assertThat(commands.timeline(tenant, "u1")).hasSize(1);
  }

  @Test
  void expectationsAndAudit() {
    var expectations = new Expectations(database, clock);
    var audit = new Audit(database, clock);
    expectations.put(expectation(tenant));
    audit.append(new AuditEntry(tenant, "ann", "device.put", "device/site", "", ""));

    assertThat(expectations.find(other, HOST)).isEmpty();
    expectations.remove(expectation(other));
    assertThat(expectations.find(tenant, HOST)).isPresent();
    assertThat(audit.list(other, Optional.empty(), ALL).rows()).isEmpty();
    assertThat(audit.list(other, Optional.of("device/site"), ALL).rows()).isEmpty();
  }

  private static DeviceSpec site(String of, String label) {
    return new DeviceSpec(
        new DeviceId(of, "site"), List.of(HOST), Map.of("of", label), ZoneId.of("UTC"));
  }

  private Beat beat(String of, String version) {
    return new Beat(of, HOST, "i", "b", "running", Map.of("os", version), clock.instant());
  }

  private NewRelease release(String of, String text) {
    return new NewRelease(of, RELEASE, "script", 1, text, "", Optional.empty(), clock.instant());
  }

  private static NewUpgrade upgrade(String of) {
    return new NewUpgrade("u1", new DeviceId(of, "site"), RELEASE, "ann", "", "run-1");
  }

  private static UpgradeEnd end() {
    return new UpgradeEnd(
        Outcome.ROLLED_BACK, Optional.of(new UpgradeEnd.Why("error", "x", "final", "x")), "[]");
  }

  private static CommandRow command(Commands commands, String of) {
    return commands.await(
        new CommandKey(of, "u1", HOST, Step.UPGRADE, 1),
        new Waiter("w", "1"),
        (id, _, _) -> new Written(id, "of " + of, ""));
  }

  private static Expectation expectation(String of) {
    return new Expectation(
        of, HOST, Step.AWAIT_HEARTBEAT, RELEASE, "", "", "", new Waiter("w", "1"));
  }
}
