package dev.uplift.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.uplift.temporaldev.stack.Stack;
import dev.uplift.temporaldev.stack.UpliftServer;
import dev.uplift.testservers.TestServers;
import java.io.IOException;
import java.nio.file.Files;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// A rollout over 200 devices whose server is killed with -9 at ten random moments ends like an undisturbed one.
/// `-Duplift.seed=…` repeats the printed moments.
@Timeout(600)
final class RolloutServerKillTest {
  private static final int DEVICES = 200;
  private static final int KILLS = 10;
  private static final int PARALLEL = 50;
  private static final String CALM = "calm";
  private static final String STORM = "storm";
  private static final Stack STACK = TestServers.stack().open();

  @AfterAll
  static void endAll() {
    STACK.close();
  }

  @Test
  void killedAtTenRandomMomentsItEndsLikeTheUndisturbedOne() throws Exception {
    long seed = Long.getLong("uplift.seed", System.nanoTime());
    System.out.println("RolloutServerKillTest: -Duplift.seed=" + seed);
    SimulatedFleet fleet = fleet();

    fleet.rollOut(CALM, PARALLEL, 0);
    assertThat(fleet.awaitEnd(CALM)).isEqualTo("partial");
    fleet.rollOut(STORM, PARALLEL, 0);
    kill(fleet, new Random(seed));
    assertThat(fleet.awaitEnd(STORM)).isEqualTo("partial");

    try (WorkflowRuns runs = new WorkflowRuns(STACK)) {
      assertThat(runs.ofUpgrades(STORM, DEVICES).values()).hasSize(DEVICES).containsOnly(1L);
      assertThat(runs.eventsOf(CALM)).isLessThanOrEqualTo(DEVICES / 100 * 20);
    }
    STACK.server().stop();
    assertSame(read(CALM), read(STORM));
  }

  private static SimulatedFleet fleet() {
    var _ = SimulatedFleet.withShortTimeouts(server());
    STACK.start();
    var fleet = new SimulatedFleet(STACK, new TestRestClient(STACK, SimulatedFleet.TENANT), DEVICES);
    fleet.start(List.of(CALM, STORM), number -> number % 20 == 0 ? "canary" : number % 4 == 0 ? "early" : "late");
    return fleet;
  }

  private static UpliftServer server() {
    return STACK.server();
  }

  /// Kills the server, the first time before the rollout's workflow is known to run.
  private static void kill(SimulatedFleet fleet, Random random) {
    int[] moments = random.ints(KILLS - 1, 0, DEVICES - PARALLEL).sorted().toArray();
    restart(random);
    for (int ended : moments) {
      fleet.awaitEnded(STORM, ended);
      restart(random);
    }
  }

  private static void restart(Random random) {
    Duration moment = Duration.ofMillis(random.nextInt(500));
    await("a random moment").pollDelay(moment).until(() -> true);
    server().kill();
    server().start();
  }

  private static RolloutTableContents read(String rollout) throws SQLException, IOException {
    return RolloutTableContents.read(
        "jdbc:h2:file:" + server().folder().resolve("uplift") + ";MODE=PostgreSQL;DATABASE_TO_LOWER=TRUE",
        "uplift",
        Files.readString(STACK.secrets().passwordFile("database")).strip(),
        rollout);
  }

  /// The decisions, except waits for a server that has just started to know which hosts are heard, and the start that
  /// is repeated after one. Any other wait counts.
  private static List<String> steps(RolloutTableContents rollout) {
    List<String> steps = new ArrayList<>();
    boolean hasWaited = false;
    for (String decision : rollout.decisions()) {
      boolean waits = decision.endsWith(" wait presence-unknown");
      boolean repeats = hasWaited && !steps.isEmpty() && steps.getLast().equals(decision);
      if (!waits && !repeats) {
        steps.add(decision);
      }
      hasWaited = waits;
    }
    return steps;
  }

  private static void assertSame(RolloutTableContents calm, RolloutTableContents storm) {
    assertThat(storm.devices()).hasSize(DEVICES).isEqualTo(calm.devices());
    assertThat(storm.devices().values())
        .anyMatch(what -> what.contains("disk-full"))
        .anyMatch(what -> what.contains("broken"));
    assertThat(steps(storm)).isEqualTo(steps(calm));
    assertThat(storm.upgrades().values()).hasSize(DEVICES).containsOnly(1L);
    assertThat(storm.prepareCommands().values()).hasSize(DEVICES).containsOnly(1L);
    assertThat(storm.upgradeCommands()).isEqualTo(calm.upgradeCommands());
    for (RolloutTableContents one : List.of(calm, storm)) {
      assertThat(one.resultNumbers()).hasSize(DEVICES).doesNotHaveDuplicates().endsWith(200L);
    }
  }
}
