package dev.uplift.agent.driver.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class ProgramEnvironmentTest {
  @Test
  void programsOfPackagesDoNotGetTheSocketOfTheAgentsUnit() {
    var environment =
        new HashMap<>(
            Map.of(
                "NOTIFY_SOCKET",
                "/run/systemd/notify",
                "WATCHDOG_PID",
                "1",
                "WATCHDOG_USEC",
                "90000000",
                "LISTEN_FDS",
                "1",
                "PATH",
                "/usr/bin"));

    ProgramRunner.withoutInitSystem(environment);

    assertThat(environment).containsOnly(Map.entry("PATH", "/usr/bin"));
  }
}
