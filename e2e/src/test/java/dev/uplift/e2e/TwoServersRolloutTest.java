package dev.uplift.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.temporaldev.stack.Stack;
import dev.uplift.temporaldev.stack.UpliftServer;
import dev.uplift.testservers.PostgresServer;
import dev.uplift.testservers.TestServers;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Two servers on one PostgreSQL, and one after the other is killed with -9 or frozen.
@Timeout(480)
final class TwoServersRolloutTest {
  private static final int DEVICES = 40;
  private static final String URGENT = "urgent";
  private static final String NORMAL = "usual";

  private final Stack stack = TestServers.stack().open();
  private final PostgresServer database =
      TestServers.postgres(stack.host(SimulatedFleet.TENANT, "database").servicePort("postgresql"));
  private final UpliftServer first = SimulatedFleet.on(database, stack.server());
  private final UpliftServer second = SimulatedFleet.on(database, stack.server("second"));

  @AfterEach
  void endAll() {
    stack.close();
    database.close();
  }

  @Test
  void twoRolloutsEndWhicheverOfTwoServersIsKilled() throws Exception {
    SimulatedFleet fleet = startFleet(List.of(URGENT, NORMAL));

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

    assertEachOnce(List.of(URGENT, NORMAL));
  }

  /// Temporal hands a frozen server tasks all the same, and NATS its messages. Twice as many devices end meanwhile as
  /// were in progress, so the other server has started some.
  @Test
  void aRolloutGoesOnWhicheverOfTwoServersIsFrozen() throws Exception {
    int parallel = 5;
    SimulatedFleet fleet = startFleet(List.of(URGENT));

    fleet.rollOut(URGENT, parallel, 0);
    fleet.awaitEnded(URGENT, 5);
    freezeWhileDevicesEnd(first, second, 2 * parallel);
    freezeWhileDevicesEnd(second, first, 2 * parallel);
    fleet.awaitEnd(URGENT);

    assertEachOnce(List.of(URGENT));
  }

  private void freezeWhileDevicesEnd(UpliftServer frozen, UpliftServer other, int devices) {
    var seenByOther =
        new SimulatedFleet(stack, new TestRestClient(stack, SimulatedFleet.TENANT).atServer(other), DEVICES);
    int ended = seenByOther.countEndedDevices(URGENT);
    frozen.pause();
    try {
      seenByOther.awaitEnded(URGENT, ended + devices);
    } finally {
      frozen.resume();
    }
  }

  private SimulatedFleet startFleet(List<String> packages) {
    stack.start();
    second.start();
    var fleet = new SimulatedFleet(stack, new TestRestClient(stack, SimulatedFleet.TENANT), DEVICES);
    fleet.start(packages, number -> number % 10 == 0 ? "canary" : "late");
    return fleet;
  }

  private void assertEachOnce(List<String> rollouts) throws SQLException {
    try (WorkflowRuns runs = new WorkflowRuns(stack)) {
      for (String rollout : rollouts) {
        assertThat(runs.ofUpgrades(rollout, DEVICES).values()).hasSize(DEVICES).containsOnly(1L);
        assertEachOnce(RolloutTableContents.read(database.url("postgres"), database.user(), "", rollout));
      }
    }
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
