package dev.uplift.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.cli.rest.Rest;
import org.junit.jupiter.api.Test;

final class HostCommandsTest {
  @Test
  void hostIsShownWithItsAgentsAndWhyItsOwnWasNotUpgraded() {
    assertThat(
            shown(
                """
                {"host": "left", "device": "gate", "presence": "running",
                 "enrolment": "enrolled", "root_version": 12,
                 "seen_at": "2026-11-21T10:00:01.500Z", "state": "cutover-ready",
                 "versions": {"uplift-agent": "1.0"},
                 "upgrade_error": "1.9: it crashed",
                 "instances": [
                   {"instance": "one", "state": "cutover-ready", "version": "1.0", "trial": false,
                    "seen_at": "2026-11-21T10:00:01.500Z"},
                   {"instance": "two", "state": "standby", "version": "unknown", "trial": true,
                    "seen_at": "2026-11-21T10:00:01Z"}]}
                """))
        .isEqualTo(
            """
            HOST  DEVICE  ENROLMENT  ROOT  PRESENCE  SEEN                  STATE          VERSIONS
            left  gate    enrolled   12    running   2026-11-21T10:00:01Z  cutover-ready  uplift-agent 1.0

            AGENT  STATE          VERSION  TRIAL  SEEN
            one    cutover-ready  1.0      no     2026-11-21T10:00:01Z
            two    standby        unknown  yes    2026-11-21T10:00:01Z

            its agent was not upgraded: 1.9: it crashed\
            """);
  }

  @Test
  void hostThatIsAwayHasNoAgents() {
    assertThat(
            shown(
                """
                {"host": "left", "presence": "unknown", "enrolment": "none", "versions": {},
                 "instances": []}
                """))
        .isEqualTo(
            """
            HOST  DEVICE  ENROLMENT  ROOT  PRESENCE  SEEN  STATE  VERSIONS
            left  -       none       -     unknown   -     -      -\
            """);
  }

  private static String shown(String host) {
    return HostCommands.whole(Rest.JSON.readTree(host));
  }
}
