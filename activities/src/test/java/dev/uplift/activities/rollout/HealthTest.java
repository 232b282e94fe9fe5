package dev.uplift.activities.rollout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.uplift.activities.HostByHand;
import dev.uplift.fleet.rollout.Verdict;
import dev.uplift.store.TargetError;
import dev.uplift.store.TargetVerdict;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// What heartbeats over real NATS say of a device that was upgraded.
final class HealthTest extends HeardRollout {
  private HostByHand host;

  @BeforeEach
  void upgraded() throws Exception {
    host = device("site", Map.of());
    rollOut(plan(), "site");
    var verdict =
        new TargetVerdict("site", Verdict.UPGRADED, true, Optional.empty(), Instant.now());
    tables
        .database()
        .together(() -> {
          tables.rollouts().lock(ID);
          tables.rollouts().enter(ID, 1);
          tables.targets().begin(ID, List.of("site"), false);
          tables.targets().started(ID, "site");
          tables.targets().end(ID, List.of(verdict));
          return 0;
        });
  }

  @Test
  void hostThatRunsTheReleaseIsHealthyAndOneThatWentBackIsNot() throws Exception {
    Health health = health(NEVER);
    awaitHeard(health, "1.4.0");

    assertThat(unhealthy(health)).containsExactly("version-mismatch");

    host.beat("1.5.0");
    await().until(() -> unhealthy(health).isEmpty());
  }

  @Test
  void silentHostIsUnhealthyWhileWeCouldHaveHeardIt() {
    Health health = health(SOON);

    await().until(() -> unhealthy(health).equals(List.of("host-silent")));
  }

  @Test
  void nothingIsSaidOfAHostWhileWeHearNobody() {
    Health health = new Health(tables, presence(SOON));

    assertThat(unhealthy(health)).isEmpty();
  }

  private void awaitHeard(Health health, String version) {
    await()
        .until(() -> {
          // The subscription may be younger than the first beat.
          host.beat(version);
          return !unhealthy(health).isEmpty();
        });
  }

  private Health health(Duration silentAfter) {
    return new Health(tables, listening(silentAfter));
  }

  private List<String> unhealthy(Health health) {
    return health.unhealthy(tables.rollouts().find(ID).orElseThrow(), Instant.now()).stream()
        .map(TargetVerdict::error)
        .flatMap(Optional::stream)
        .map(TargetError::code)
        .toList();
  }
}
