package dev.uplift.activities.rollout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.uplift.activities.NatsTestHost;
import dev.uplift.fleet.rollout.Decision;
import dev.uplift.fleet.rollout.WaitReason;
import dev.uplift.fleet.rollout.plan.WaveSize;
import dev.uplift.fleet.rollout.plan.WaveSpec;
import dev.uplift.services.presence.Presence;
import dev.uplift.store.rollout.WaveRow;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// A soak lasts until its whole time was watched: a server ran and heard the canary.
final class WatchedSoakTest extends HeartbeatRolloutScenario {
  private static final Duration SOAK = Duration.ofSeconds(40);

  private NatsTestHost canary;
  private Instant begin;

  @BeforeEach
  void soaking() throws Exception {
    canary = device("y0", Map.of());
    createRollout(plan().withWaves(List.of(WaveSpec.of(new WaveSize.Rest()).withSoak(SOAK))), "y0");
    begin = Instant.now();
    endWell("y0");
  }

  @Test
  void soakDoesNotEndWhileTheServerIsDeadAndTheCanaryIsNotHeardAfterwards() throws Exception {
    ReconcilePass firstServer = pass(listeningPresence());
    firstServer.run(begin, () -> {});
    nats.close();

    String decision = line(pass(presence(NEVER)).run(begin.plusSeconds(53), () -> {}));

    assertThat(decision).isEqualTo(soaks("watched 0 s of 40 s; not heard: y0"));
  }

  @Test
  void timeInWhichTheServerWasFrozenIsNotWatched() throws Exception {
    ReconcilePass server = pass(listeningPresence());
    server.run(begin, () -> {});

    canary.sendHeartbeat("1.5.0");
    String decision = line(server.run(begin.plusSeconds(106), () -> {}));

    assertThat(decision).isEqualTo(soaks("watched 0 s of 40 s"));
  }

  @Test
  void hostThatIsNotHeardAgainAddsNothing() throws Exception {
    ReconcilePass server = pass(listeningPresence());

    for (int second = 0; second < 60; second += 5) {
      assertThat(line(server.run(begin.plusSeconds(second), () -> {}))).isEqualTo(soaks("watched 0 s of 40 s"));
    }
  }

  @Test
  void soakEndsWhenItsTimeWasWatched() throws Exception {
    repositories
        .database()
        .inTransaction(() -> repositories.waves().addWatched(ID, 1, begin.minus(SOAK), begin.minusSeconds(1)));
    ReconcilePass server = pass(listeningPresence());

    await()
        .atMost(Duration.ofSeconds(30))
        .until(() -> {
          canary.sendHeartbeat("1.5.0");
          return !(server.run(Instant.now(), () -> {}).decision() instanceof Decision.Wait);
        });

    assertThat(wave().watched()).isGreaterThanOrEqualTo(SOAK);
  }

  @Test
  void twoServersDoNotCountTheSameTimeTwice() {
    assertThat(repositories.waves().addWatched(ID, 1, begin, begin.plusSeconds(15))).isTrue();
    assertThat(repositories.waves().addWatched(ID, 1, begin.plusSeconds(5), begin.plusSeconds(20))).isFalse();
    assertThat(repositories.waves().addWatched(ID, 1, begin.plusSeconds(15), begin.plusSeconds(30))).isTrue();

    assertThat(wave().watched()).isEqualTo(Duration.ofSeconds(30));
  }

  private ReconcilePass pass(Presence presence) {
    return new ReconcilePass(repositories, presence, ID);
  }

  /// Returns a presence that has heard the canary on the release.
  private Presence listeningPresence() {
    Presence presence = startListening(NEVER);
    await()
        .until(() -> {
          canary.sendHeartbeat("1.5.0");
          return presence.activeInstance(ID.tenant(), canary.id()).isPresent();
        });
    return presence;
  }

  private WaveRow wave() {
    return repositories.waves().find(ID, 1).orElseThrow();
  }

  private static String line(PassResult result) {
    return result.decision() instanceof Decision.Wait wait ? wait.reason() + ": " + wait.message() : "";
  }

  private static String soaks(String how) {
    return WaitReason.SOAK + ": wave 1 of 1 soaks: " + how;
  }
}
