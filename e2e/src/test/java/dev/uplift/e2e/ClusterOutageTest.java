package dev.uplift.e2e;

import static java.util.Objects.requireNonNull;
import static org.awaitility.Awaitility.await;

import dev.uplift.protocol.Subjects;
import dev.uplift.temporaldev.process.HttpProbe;
import dev.uplift.temporaldev.stack.Cluster;
import dev.uplift.temporaldev.stack.NatsServer;
import dev.uplift.temporaldev.stack.Stack;
import dev.uplift.temporaldev.stack.StackProcess;
import dev.uplift.temporaldev.stack.UpliftServer;
import io.nats.client.Connection;
import io.nats.client.JetStreamApiException;
import io.nats.client.Nats;
import io.nats.client.Options;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// On a cluster as in production, one part after the other is lost while an upgrade with a reboot is at each of its
/// steps. Counts the effects on the hosts themselves.
@Timeout(300)
final class ClusterOutageTest {
  private static final Duration TIMEOUT = Duration.ofMinutes(1);
  private static final Stack STACK = Stack.temporary().cluster().serverLinks().open();
  private static final Cluster CLUSTER = STACK.cluster();
  private static @Nullable TestRestClient rest;

  @BeforeAll
  static void startServers() {
    for (UpliftServer server : CLUSTER.servers()) {
      server.environment("UPLIFT_TIMEOUTS_RESEND_INTERVAL", "PT3S").environment("UPLIFT_RECONCILE_INTERVAL", "PT15S");
    }
    STACK.start();
    rest = new TestRestClient(STACK, "acme");
  }

  /// Also after a failure: it is not that of the next test.
  @AfterEach
  void reconnectParts() {
    CLUSTER.parts().forEach(StackProcess::reconnect);
  }

  @AfterAll
  static void endAll() {
    STACK.close();
  }

  @Test
  void whicheverServerIsKilledTheOthersContinue() {
    List<HeldUpgrade> all = heldAtEveryStep("server-");

    killEach(CLUSTER.servers());
    all.forEach(HeldUpgrade::releaseHost);

    all.forEach(HeldUpgrade::assertUpgradedOnce);
  }

  @Test
  void twoServersThatAreCutOffLeaveTheirWorkToTheThird() {
    List<HeldUpgrade> all = heldAtEveryStep("cut-off-");
    List<UpliftServer> two = CLUSTER.servers().subList(0, 2);

    two.forEach(UpliftServer::cutOff);
    two.forEach(ClusterOutageTest::awaitUnhealthy);
    all.forEach(HeldUpgrade::releaseHost);
    all.forEach(HeldUpgrade::awaitBoot);
    two.forEach(UpliftServer::reconnect);

    all.forEach(HeldUpgrade::assertUpgradedOnce);
  }

  @Test
  void whicheverNatsServerIsKilledHostsGoToTheOthers() {
    List<HeldUpgrade> all = heldAtEveryStep("nats-");

    killEach(CLUSTER.natsServers());
    all.forEach(HeldUpgrade::releaseHost);

    all.forEach(HeldUpgrade::assertUpgradedOnce);
  }

  /// Hosts and servers that are connected to it stay so, and get no answers from its streams.
  @Test
  void theNatsServerThatLeadsTheCommandsIsCutOffFromTheOtherTwo() throws Exception {
    List<HeldUpgrade> all = heldAtEveryStep("routes-");
    NatsServer leader = commandLeader(CLUSTER.natsServers().getFirst());

    leader.cutOff();
    all.forEach(HeldUpgrade::releaseHost);
    NatsServer another = CLUSTER.natsServers().stream().filter(each -> !each.equals(leader)).findAny().orElseThrow();
    await("another one leads").atMost(TIMEOUT).ignoreExceptions().until(() -> !commandLeader(another).equals(leader));
    leader.reconnect();

    all.forEach(HeldUpgrade::assertUpgradedOnce);
  }

  private static NatsServer commandLeader(NatsServer asked)
      throws IOException, InterruptedException, JetStreamApiException {
    Options options =
        Options.builder()
            .server("nats://127.0.0.1:" + asked.port())
            .authHandler(Nats.credentials(asked.operator().serverCredentials().toString()))
            .build();
    Connection connection = Nats.connect(options);
    try {
      String leader =
          requireNonNull(
              requireNonNull(connection.jetStreamManagement().getStreamInfo(Subjects.COMMAND_STREAM).getClusterInfo())
                  .getLeader());
      return CLUSTER.natsServers().stream().filter(each -> leader.endsWith("-" + each.port())).findAny().orElseThrow();
    } finally {
      connection.close();
    }
  }

  @Test
  void databaseAndTemporalAreKilledWhileHostsGoOn() {
    List<HeldUpgrade> all = heldAtEveryStep("database-");

    CLUSTER.temporal().kill();
    CLUSTER.postgres().kill();
    all.forEach(HeldUpgrade::releaseHost);
    STACK.start();

    all.forEach(HeldUpgrade::assertUpgradedOnce);
  }

  @Test
  void everythingIsKilledAtOnceWhileHostsGoOn() {
    List<HeldUpgrade> all = heldAtEveryStep("all-");

    CLUSTER.parts().forEach(StackProcess::kill);
    all.forEach(HeldUpgrade::releaseHost);
    STACK.start();

    all.forEach(HeldUpgrade::assertUpgradedOnce);
  }

  private static List<HeldUpgrade> heldAtEveryStep(String name) {
    return HeldUpgrade.atEveryStep(STACK, requireNonNull(rest), name);
  }

  private static void awaitUnhealthy(UpliftServer server) {
    String health = server.url() + "/health";
    await("the cut is noticed").atMost(TIMEOUT).until(() -> !HttpProbe.respondsOk(health));
  }

  private static void killEach(List<? extends StackProcess> parts) {
    for (StackProcess part : parts) {
      part.kill();
      part.start();
    }
  }
}
