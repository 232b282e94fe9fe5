package dev.uplift.store.command;

import static dev.uplift.fleet.Step.AWAIT_HEARTBEAT;
import static dev.uplift.fleet.Step.AWAIT_SUCCESSOR;
import static dev.uplift.fleet.Step.STOP;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.uplift.fleet.HostId;
import dev.uplift.fleet.Release;
import dev.uplift.store.DatabaseScenario;
import dev.uplift.store.NoSuchTenant;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class HeartbeatWaitRepositoryTest extends DatabaseScenario {
  private static final HostId LEFT = new HostId("left");

  private HeartbeatWaitRepository expectations = database.repository(HeartbeatWaitRepository.class);

  @BeforeEach
  void open() {
    expectations = database.repository(HeartbeatWaitRepository.class);
  }

  @Test
  void onlyTheNewestWaitOfAHostIsKept() {
    expectations.put(expectation("1.0", "7"));
    expectations.put(expectation("1.0", "7"));
    expectations.put(expectation("2.0", "8"));

    assertThat(expectations.find(tenant, LEFT)).contains(expectation("2.0", "8"));
    assertThat(expectations.find(tenant, new HostId("right"))).isEmpty();
    assertThat(expectations.findAll())
        .filteredOn(each -> each.tenant().equals(tenant))
        .containsExactly(expectation("2.0", "8"));
  }

  @Test
  void onlyTheCurrentWaitIsRemoved() {
    expectations.put(expectation("2.0", "8"));

    expectations.remove(expectation("1.0", "7"));
    assertThat(expectations.find(tenant, LEFT)).isPresent();

    expectations.remove(expectation("2.0", "8"));
    expectations.remove(expectation("2.0", "8"));
    assertThat(expectations.find(tenant, LEFT)).isEmpty();
  }

  @Test
  void recentWaitsAreReadWithoutTheOthers() {
    expectations.put(expectation("1.0", "7"));

    clock.advance(Duration.ofMinutes(1));

    assertThat(expectations.findRecent(Duration.ofSeconds(30))).isEmpty();
    expectations.put(expectation("2.0", "8"));
    assertThat(expectations.findRecent(Duration.ofSeconds(30))).containsExactly(expectation("2.0", "8"));
  }

  @Test
  void waitsOfAWorkflowAreRemovedTogether() {
    expectations.put(expectation("2.0", "8"));

    expectations.removeOf(tenant, List.of(LEFT), "upgrade/of/another");
    assertThat(expectations.find(tenant, LEFT)).isPresent();

    expectations.removeOf(tenant, List.of(LEFT, new HostId("right")), expectation("2.0", "8").waiter().workflowId());
    assertThat(expectations.find(tenant, LEFT)).isEmpty();
  }

  @Test
  void aTenantThatDoesNotExistHasNoWaits() {
    var heartbeatWait =
        new HeartbeatWait("unknown", LEFT, STOP, new Release("os", "1"), "", "", "", new WaitingActivity("w", "1"));

    assertThatThrownBy(() -> expectations.put(heartbeatWait)).isInstanceOf(NoSuchTenant.class);
  }

  private HeartbeatWait expectation(String version, String activity) {
    return new HeartbeatWait(
        tenant,
        LEFT,
        version.equals("1.0") ? AWAIT_SUCCESSOR : AWAIT_HEARTBEAT,
        new Release("os", version),
        "boot-1",
        "instance-1",
        version.equals("1.0") ? "instance-0" : "",
        new WaitingActivity("upgrade/" + tenant + "/site", activity));
  }
}
