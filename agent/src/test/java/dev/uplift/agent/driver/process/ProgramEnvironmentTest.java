package dev.uplift.agent.driver.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class ProgramEnvironmentTest {
  @Test
  void programsOfPackagesDoNotGetWhatConcernsTheAgentAlone() {
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
                "INVOCATION_ID",
                "0123",
                "JOURNAL_STREAM",
                "8:1",
                "UPLIFT_AGENT_ROOT",
                "/opt/uplift-agent",
                "MALLOC_ARENA_MAX",
                "1",
                "PATH",
                "/usr/bin"));

    ProgramRunner.removeAgentVariables(environment);

    assertThat(environment).containsOnly(Map.entry("PATH", "/usr/bin"));
  }
}
