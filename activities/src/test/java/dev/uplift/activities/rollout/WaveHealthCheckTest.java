package dev.uplift.activities.rollout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.uplift.activities.NatsTestHost;
import dev.uplift.fleet.rollout.TargetResult;
import dev.uplift.store.rollout.NewTargetResult;
import dev.uplift.store.rollout.TargetError;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Checks the health of upgraded devices by heartbeats over real NATS.
final class WaveHealthCheckTest extends HeartbeatRolloutScenario {
  private NatsTestHost host;

  @BeforeEach
  void upgraded() throws Exception {
    host = device("site", Map.of());
    createRollout(plan(), "site");
    var verdict = new NewTargetResult("site", TargetResult.UPGRADED, true, Optional.empty(), Instant.now());
    repositories
        .database()
        .inTransaction(() -> {
          repositories.rollouts().lock(ID);
          repositories.rollouts().startWave(ID, 1);
          repositories.targets().markStarting(ID, List.of("site"), false);
          repositories.targets().markStarted(ID, "site");
          repositories.targets().recordResults(ID, List.of(verdict));
          return 0;
        });
  }

  @Test
  void hostThatRunsTheReleaseIsHealthyAndOneThatWasRolledBackIsNot() throws Exception {
    WaveHealthCheck healthCheck = health(NEVER);
    awaitHeard(healthCheck, "1.4.0");

    assertThat(unhealthy(healthCheck)).containsExactly("version-mismatch");

    host.sendHeartbeat("1.5.0");
    await().until(() -> unhealthy(healthCheck).isEmpty());
  }

  @Test
  void silentHostIsUnhealthyIfTheServerWasConnected() {
    WaveHealthCheck healthCheck = health(SOON);

    await().until(() -> unhealthy(healthCheck).equals(List.of("host-silent")));
  }

  @Test
  void healthIsUnknownWhileTheServerWasNotConnected() {
    WaveHealthCheck healthCheck = new WaveHealthCheck(repositories, presence(SOON));

    assertThat(unhealthy(healthCheck)).isEmpty();
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

  private List<String> unhealthy(WaveHealthCheck healthCheck) {
    return healthCheck.findUnhealthy(repositories.rollouts().find(ID).orElseThrow(), Instant.now()).stream()
        .map(NewTargetResult::error)
        .flatMap(Optional::stream)
        .map(TargetError::code)
        .toList();
  }
}
