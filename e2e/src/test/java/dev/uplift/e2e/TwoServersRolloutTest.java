package dev.uplift.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.temporaldev.stack.Stack;
import dev.uplift.temporaldev.stack.UpliftServer;
import dev.uplift.testservers.PostgresServer;
import dev.uplift.testservers.TestServers;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Two servers on one PostgreSQL, two rollouts over the same devices at once, and one server after the other is killed
/// with -9.
@Timeout(480)
final class TwoServersRolloutTest {
  private static final int DEVICES = 40;
  private static final String URGENT = "urgent";
  private static final String NORMAL = "usual";
  private static final Stack STACK = TestServers.stack().open();

  @AfterAll
  static void endAll() {
    STACK.close();
  }

  @Test
  void twoRolloutsEndWhicheverOfTwoServersIsKilled() throws Exception {
    try (PostgresServer database =
        TestServers.postgres(STACK.host(SimulatedFleet.TENANT, "database").servicePort("postgresql"))) {
      UpliftServer first = on(database, STACK.server());
      UpliftServer second = on(database, STACK.server("second"));
      STACK.start();
      second.start();
      var fleet = new SimulatedFleet(STACK, new TestRestClient(STACK, SimulatedFleet.TENANT), DEVICES);
      fleet.start(List.of(URGENT, NORMAL), number -> number % 10 == 0 ? "canary" : "late");

      fleet.rollOut(NORMAL, 10, 0);
      fleet.rollOut(URGENT, 10, 5);
      fleet.awaitEnded(URGENT, 5);
      first.kill();
      first.start();
      fleet.awaitEnded(URGENT, 15);
      second.kill();
      fleet.awaitEnd(URGENT);
      second.start();
      fleet.awaitEnd(NORMAL);

      try (WorkflowRuns runs = new WorkflowRuns(STACK)) {
        for (String rollout : List.of(URGENT, NORMAL)) {
          assertThat(runs.ofUpgrades(rollout, DEVICES).values()).hasSize(DEVICES).containsOnly(1L);
          assertEachOnce(RolloutTableContents.read(database.url("postgres"), database.user(), "", rollout));
        }
      }
    }
  }

  private static UpliftServer on(PostgresServer database, UpliftServer upliftServer) {
    return SimulatedFleet.withShortTimeouts(upliftServer)
        .environment("UPLIFT_DATABASE_URL", database.url("postgres"))
        .environment("UPLIFT_DATABASE_USER", database.user());
  }

  private static void assertEachOnce(RolloutTableContents rollout) {
    assertThat(rollout.devices()).hasSize(DEVICES);
    assertThat(rollout.upgrades().values()).hasSize(DEVICES).containsOnly(1L);
    assertThat(rollout.prepareCommands().values()).hasSize(DEVICES).containsOnly(1L);
    assertThat(rollout.resultNumbers()).hasSize(DEVICES).doesNotHaveDuplicates();
    assertThat(rollout.decisions()).containsOnlyOnce("1 next-wave", "2 finish");
    assertThat(rollout.maxConcurrentUpgrades()).isEqualTo(1);
  }
}
