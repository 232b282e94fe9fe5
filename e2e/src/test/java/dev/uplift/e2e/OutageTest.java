package dev.uplift.e2e;

import static io.temporal.api.enums.v1.EventType.EVENT_TYPE_ACTIVITY_TASK_TIMED_OUT;
import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.temporaldev.stack.Stack;
import dev.uplift.temporaldev.stack.StackProcess;
import dev.uplift.testservers.TestServers;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;

/// A service is unavailable while a host reboots; NATS and the server for longer than the step may take. The host is
/// not rolled back because of it.
@Timeout(300)
final class OutageTest {
  private final Stack stack = TestServers.stack().open();

  @BeforeEach
  void startServers() {
    stack
        .server()
        .environment("UPLIFT_TIMEOUTS_RESEND_INTERVAL", "PT2S")
        .environment("UPLIFT_TIMEOUTS_REBOOT", "PT5S")
        .environment("UPLIFT_TIMEOUTS_AWAIT_HEARTBEAT", "PT5S")
        .environment("UPLIFT_PRESENCE_SILENT_AFTER", "PT4S");
    stack.start();
  }

  @AfterEach
  void endAll() {
    stack.close();
  }

  @Test
  void natsIsUnavailableWhileAHostReboots() {
    RebootUpgradeScenario site = hostIsGone();

    stack.nats().kill();
    site.host().powerOn();
    site.awaitInspect();
    stack.nats().start();

    assertUpgraded(site);
  }

  @Test
  void serverIsUnavailableWhileAHostReboots() {
    RebootUpgradeScenario site = hostIsGone();

    stack.server().kill();
    site.host().powerOn();
    site.awaitHistoryEvent("the reboot times out", event -> event.getEventType() == EVENT_TYPE_ACTIVITY_TASK_TIMED_OUT);
    stack.server().start();

    assertUpgraded(site);
  }

  @Test
  void temporalIsUnavailableWhileAHostReboots() {
    RebootUpgradeScenario site = hostIsGone();

    stack.temporal().kill();
    site.host().powerOn();
    stack.temporal().start();

    assertUpgraded(site);
  }

  @Test
  void everythingIsKilledWhileAHostReboots() {
    RebootUpgradeScenario site = hostIsGone();

    for (StackProcess stackProcess : new StackProcess[] {stack.server(), stack.temporal(), stack.nats()}) {
      stackProcess.kill();
    }
    site.host().powerOn();
    stack.start();

    assertUpgraded(site);
  }

  private RebootUpgradeScenario hostIsGone() {
    RebootUpgradeScenario site = RebootUpgradeScenario.in(stack, new TestRestClient(stack, "acme"), "shop");
    site.host().staysOffAfterReboot();
    site.startUpgrade();
    site.awaitHostDown();
    return site;
  }

  private static void assertUpgraded(RebootUpgradeScenario site) {
    JsonNode end = site.awaitEnd();

    assertThat(end.path("outcome").asString()).as(end.toPrettyString()).isEqualTo("upgraded");
    assertThat(site.os().effects()).isEqualTo(RebootUpgradeScenario.EACH_ONCE);
  }
}
