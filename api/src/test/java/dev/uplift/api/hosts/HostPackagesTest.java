package dev.uplift.api.hosts;

import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.api.testing.SharedServerExtension;
import dev.uplift.api.testing.TestTenant;
import dev.uplift.fleet.DeviceId;
import dev.uplift.fleet.HostId;
import dev.uplift.fleet.Outcome;
import dev.uplift.fleet.Progress;
import dev.uplift.fleet.Release;
import dev.uplift.fleet.Step;
import dev.uplift.services.upgrade.HostOutcome;
import dev.uplift.store.command.CommandKey;
import dev.uplift.store.command.CommandRepository;
import dev.uplift.store.command.SignedCommand;
import dev.uplift.store.command.WaitingActivity;
import dev.uplift.store.device.HostInfo;
import dev.uplift.store.device.HostRepository;
import dev.uplift.store.device.RecordedInfo;
import dev.uplift.store.upgrade.NewUpgrade;
import dev.uplift.store.upgrade.UpgradeEnd;
import dev.uplift.store.upgrade.UpgradeEnd.EndReason;
import dev.uplift.store.upgrade.UpgradeRepository;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import tools.jackson.databind.JsonNode;

/// The packages of a host, and how the last upgrade of each went: what Open Horizon calls the version status.
@ExtendWith(SharedServerExtension.class)
final class HostPackagesTest {
  private static final Instant SAID = Instant.parse("2026-11-20T10:00:00Z");

  /// OH-72, OH-73.
  @Test
  void aPackageThatWasNeverUpgradedHasItsVersionOnly(TestTenant testTenant) {
    report(testTenant, Map.of("shopd", "1.0", "os", "unknown"));

    assertThat(packages(testTenant).toString())
        .isEqualTo("[{\"package\":\"os\"},{\"package\":\"shopd\",\"version\":\"1.0\"}]");
    testTenant.viewer().get(testTenant.path("hosts/none/packages")).expectStatus(404);
    testTenant.server().anonymousClient().get(testTenant.path("hosts/left/packages")).expectStatus(401);
  }

  /// OH-74, OH-75, OH-76.
  @Test
  void theVersionOnWhichTheLastUpgradeFailedIsNamedWithItsTimes(TestTenant testTenant) {
    report(testTenant, Map.of("shopd", "1.0"));
    start(testTenant, "one", "2.0");
    assertThat(shopd(testTenant).path("last_upgrade").has("ended_at")).isFalse();

    end(
        testTenant,
        "one",
        new UpgradeEnd(Outcome.ROLLED_BACK, Optional.of(crash()), hosts(Progress.ROLLED_BACK, Progress.ROLLED_BACK)));

    JsonNode failed = shopd(testTenant);
    assertThat(failed.path("failed_version").asString()).isEqualTo("2.0");
    assertThat(failed.path("last_upgrade").path("failure").asString()).isEqualTo("it crashed");
    assertThat(failed.path("last_upgrade").path("outcome").asString()).isEqualTo("rolled-back");
    assertThat(Instant.parse(failed.path("last_upgrade").path("ended_at").asString()))
        .isAfterOrEqualTo(Instant.parse(failed.path("last_upgrade").path("started_at").asString()));

    start(testTenant, "two", "2.1");
    end(
        testTenant,
        "two",
        new UpgradeEnd(Outcome.UPGRADED, Optional.empty(), hosts(Progress.UPGRADED, Progress.UPGRADED)));

    assertThat(shopd(testTenant).path("last_upgrade").path("id").asString()).isEqualTo("two");
    assertThat(shopd(testTenant).has("failed_version")).isFalse();
  }

  @Test
  void aVersionHasNotFailedOnAHostThatRunsIt(TestTenant testTenant) {
    report(testTenant, Map.of("shopd", "2.0"));
    start(testTenant, "one", "2.0");

    end(
        testTenant,
        "one",
        new UpgradeEnd(Outcome.PARTIAL, Optional.of(crash()), hosts(Progress.UPGRADED, Progress.CHANGED)));

    assertThat(shopd(testTenant).has("failed_version")).isFalse();
    assertThat(shopd(testTenant).path("last_upgrade").path("outcome").asString()).isEqualTo("partial");
  }

  @Test
  void anUpgradeThatHasSentTheHostNothingIsNotItsLast(TestTenant testTenant) {
    report(testTenant, Map.of("shopd", "1.0"));

    create(testTenant, "declined", "2.0");

    assertThat(shopd(testTenant).has("last_upgrade")).isFalse();
  }

  private static void report(TestTenant testTenant, Map<String, String> versions) {
    testTenant.putDevice("gate", "left", "right");
    var info = new HostInfo("{}", "0.1.0", "x86_64", List.of("bundle"), "boot-1", "i-1", "running", versions, SAID);
    assertThat(
            testTenant
                .server()
                .bean(HostRepository.class)
                .recordInfo(testTenant.name(), new HostId("left"), info, List.of(), List.of()))
        .isEqualTo(RecordedInfo.RECORDED);
  }

  private static void start(TestTenant testTenant, String upgrade, String version) {
    create(testTenant, upgrade, version);
    var _ =
        testTenant
            .server()
            .bean(CommandRepository.class)
            .createIfAbsent(
                new CommandKey(testTenant.name(), upgrade, new HostId("left"), Step.PREPARE, 1),
                new Release("os", "1"),
                new WaitingActivity("upgrade/gate", "7"),
                basis -> new SignedCommand(basis.id(), "do it", "signed"));
  }

  private static void create(TestTenant testTenant, String upgrade, String version) {
    testTenant
        .server()
        .bean(UpgradeRepository.class)
        .createIfAbsent(
            new NewUpgrade(
                upgrade, new DeviceId(testTenant.name(), "gate"), new Release("shopd", version), "ann", "{}", "run-1"));
  }

  private static void end(TestTenant testTenant, String upgrade, UpgradeEnd end) {
    assertThat(testTenant.server().bean(UpgradeRepository.class).recordEnd(testTenant.name(), upgrade, end))
        .isPresent();
  }

  private static EndReason crash() {
    return new EndReason("error", "unhealthy", "final", "it crashed");
  }

  private static String hosts(Progress left, Progress right) {
    return HostOutcome.write(List.of(host("left", left), host("right", right)));
  }

  private static HostOutcome host(String name, Progress progress) {
    return new HostOutcome(new HostId(name), progress, "1.0", false, Optional.empty(), Optional.empty());
  }

  private static JsonNode packages(TestTenant testTenant) {
    return testTenant.viewer().get(testTenant.path("hosts/left/packages")).expectStatus(200).json().path("items");
  }

  private static JsonNode shopd(TestTenant testTenant) {
    return packages(testTenant).path(0);
  }
}
