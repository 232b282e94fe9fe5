package dev.uplift.activities.rollout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.uplift.activities.NatsTestHost;
import dev.uplift.fleet.HostId;
import dev.uplift.fleet.RollbackScope;
import dev.uplift.fleet.StepTimeouts;
import dev.uplift.fleet.rollout.TargetResult;
import dev.uplift.services.upgrade.RecordedPlan;
import dev.uplift.store.device.DeviceSpec;
import dev.uplift.store.device.Precondition;
import dev.uplift.store.rollout.NewTargetResult;
import dev.uplift.store.rollout.TargetError;
import dev.uplift.store.upgrade.NewUpgrade;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Checks the health of upgraded devices by heartbeats over real NATS.
final class WaveHealthCheckTest extends HeartbeatRolloutScenario {
  private static final Duration FIVE_MINUTES = Duration.ofMinutes(5);

  private NatsTestHost host;

  @BeforeEach
  void upgraded() throws Exception {
    host = device("site", Map.of());
    createRollout(plan(), "site");
    endWell("site");
  }

  @Test
  void hostThatRunsTheReleaseIsHealthyAndOneThatWasRolledBackIsNot() throws Exception {
    WaveHealthCheck healthCheck = health(NEVER);
    awaitHeard(healthCheck, "1.4.0");

    assertThat(unhealthy(healthCheck)).containsExactly("version-mismatch");

    host.sendHeartbeat("1.5.0");
    await().until(() -> unhealthy(healthCheck).isEmpty());
    assertThat(check(healthCheck, Instant.now()).unheard()).isEmpty();
  }

  @Test
  void silentHostIsUnhealthyOnlyAfterSomeMinutesAndUnheardUntilThen() {
    WaveHealthCheck healthCheck = health(SOON);

    await().until(() -> !check(healthCheck, Instant.now().plus(FIVE_MINUTES)).unhealthy().isEmpty());

    assertThat(unhealthy(healthCheck)).isEmpty();
    assertThat(check(healthCheck, Instant.now()).unheard()).containsExactly("site");
    assertThat(check(healthCheck, Instant.now().plus(FIVE_MINUTES)).unhealthy())
        .extracting(result -> result.error().orElseThrow().code())
        .containsExactly("host-silent");
  }

  @Test
  void deviceThatIsHeardOnTheReleaseAgainHasRecovered() throws Exception {
    WaveHealthCheck healthCheck = health(NEVER);
    markUnhealthy("site");
    assertThat(check(healthCheck, Instant.now()).recovered()).isEmpty();

    await()
        .until(() -> {
          host.sendHeartbeat("1.5.0");
          return check(healthCheck, Instant.now()).recovered().equals(List.of("site"));
        });

    assertThat(repositories.targets().markRecovered(ID, "site")).isTrue();
    assertThat(repositories.targets().markRecovered(ID, "site")).isFalse();
    assertThat(repositories.statistics().targetCounts(ID).ofWave(1).ended()).containsOnlyKeys(TargetResult.UPGRADED);
  }

  @Test
  void healthIsUnknownWhileTheServerWasNotConnected() {
    WaveHealthCheck healthCheck = new WaveHealthCheck(repositories, presence(SOON));

    WaveHealthCheck.Report report = check(healthCheck, Instant.now().plus(Duration.ofDays(1)));

    assertThat(report.unhealthy()).isEmpty();
    assertThat(report.unheard()).containsExactly("site");
  }

  @Test
  void hostThatWasAddedAfterTheUpgradeIsNotJudged() throws Exception {
    begin("north.site.1", host.id());
    NatsTestHost added = device("spare", Map.of());
    putDevice(host.id(), added.id());
    WaveHealthCheck healthCheck = health(NEVER);

    await()
        .until(() -> {
          host.sendHeartbeat("1.5.0");
          added.sendHeartbeat("1.4.0");
          return check(healthCheck, Instant.now()).unheard().isEmpty();
        });

    assertThat(unhealthy(healthCheck)).isEmpty();
  }

  @Test
  void anotherUpgradeOfTheDeviceEndsTheWatch() throws Exception {
    begin("north.site.1", host.id());
    WaveHealthCheck healthCheck = health(NEVER);
    awaitHeard(healthCheck, "1.5.1");
    assertThat(unhealthy(healthCheck)).containsExactly("version-mismatch");

    begin("hotfix", host.id());

    assertThat(unhealthy(healthCheck)).isEmpty();
    assertThat(check(healthCheck, Instant.now()).unheard()).isEmpty();
  }

  private void begin(String upgrade, HostId host) {
    var plan =
        new RecordedPlan(
            List.of(host),
            RollbackScope.DEVICE,
            false,
            Instant.now(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            StepTimeouts.NONE,
            Optional.empty());
    repositories
        .common()
        .upgrades()
        .createIfAbsent(new NewUpgrade(upgrade, ID.device("site"), plan().release(), "ann", plan.write(), "run"));
  }

  private void putDevice(HostId... hosts) {
    repositories
        .common()
        .devices()
        .put(
            new DeviceSpec(ID.device("spare"), List.of(new HostId("another")), Map.of(), ZoneOffset.UTC),
            Precondition.anything());
    repositories
        .common()
        .devices()
        .put(new DeviceSpec(ID.device("site"), List.of(hosts), Map.of(), ZoneOffset.UTC), Precondition.anything());
  }

  private void awaitHeard(WaveHealthCheck healthCheck, String version) {
    await()
        .until(() -> {
          // The subscription may be younger than the first heartbeat.
          host.sendHeartbeat(version);
          return !unhealthy(healthCheck).isEmpty();
        });
  }

  private WaveHealthCheck health(Duration silentAfter) {
    return new WaveHealthCheck(repositories, startListening(silentAfter));
  }

  private WaveHealthCheck.Report check(WaveHealthCheck healthCheck, Instant now) {
    return healthCheck.check(repositories.rollouts().find(ID).orElseThrow(), FIVE_MINUTES, now);
  }

  private List<String> unhealthy(WaveHealthCheck healthCheck) {
    return check(healthCheck, Instant.now()).unhealthy().stream()
        .map(NewTargetResult::error)
        .flatMap(Optional::stream)
        .map(TargetError::code)
        .toList();
  }
}
