package dev.uplift.cli.device;

import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.cli.Main;
import dev.uplift.cli.file.PrivateFile;
import dev.uplift.cli.rest.RestClient;
import dev.uplift.cli.rest.StubServer;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

final class HostCommandsTest {
  @TempDir private Path folder;

  @Test
  void hostIsShownWithItsAgentsAndWhyItsOwnWasNotUpgraded() {
    assertThat(
            shown(
                """
                {"host": "left", "device": "gate", "presence": "online",
                 "enrolment": "enrolled", "root_version": 12,
                 "last_seen_at": "2026-11-21T10:00:01.500Z", "state": "cutover-ready",
                 "versions": {"uplift-agent": "1.0"},
                 "upgrade_error": "1.9: it crashed",
                 "instances": [
                   {"instance": "one", "state": "cutover-ready", "version": "1.0", "on_trial": false,
                    "last_seen_at": "2026-11-21T10:00:01.500Z"},
                   {"instance": "two", "state": "standby", "version": "unknown", "on_trial": true,
                    "last_seen_at": "2026-11-21T10:00:01Z"}]}
                """))
        .isEqualTo(
            """
            HOST  DEVICE  ENROLMENT  ROOT  PRESENCE  LAST SEEN             STATE          VERSIONS
            left  gate    enrolled   12    online    2026-11-21T10:00:01Z  cutover-ready  uplift-agent 1.0

            AGENT  STATE          VERSION  ON TRIAL  LAST SEEN
            one    cutover-ready  1.0      no        2026-11-21T10:00:01Z
            two    standby        unknown  yes       2026-11-21T10:00:01Z

            its agent was not upgraded: 1.9: it crashed\
            """);
  }

  @Test
  void silentHostHasNoAgents() {
    assertThat(
            shown(
                """
                {"host": "left", "presence": "unknown", "enrolment": "none", "versions": {},
                 "instances": []}
                """))
        .isEqualTo(
            """
            HOST  DEVICE  ENROLMENT  ROOT  PRESENCE  LAST SEEN  STATE  VERSIONS
            left  -       none       -     unknown   -          -      -\
            """);
  }

  @ParameterizedTest
  @ValueSource(strings = {"revoke", "delete"})
  void whatShutsAHostOutIsAskedAboutAndNotSaidWhenNothingWasDone(String word) throws Exception {
    var out = new StringWriter();
    var err = new StringWriter();
    CommandLine main = Main.commandLine().setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true));
    try (StubServer stubServer = new StubServer().answerByDefault(204, "")) {
      Path mine = folder.resolve("mine");
      PrivateFile.write(mine, "secret");
      String[] line = {"host", word, "left", "--tenant=acme", "--url=" + stubServer.url(), "--token-file=" + mine};
      assertThat(main.execute(line)).isEqualTo(2);
      assertThat(err.toString()).contains("needs --yes");
      assertThat(stubServer.requestLines()).isEmpty();

      assertThat(main.execute(with(line, "--dry-run"))).isZero();
      assertThat(out.toString()).contains("valid; nothing was changed").doesNotContain("left is");
      assertThat(main.execute(with(line, "--yes"))).isZero();
      assertThat(out.toString()).contains("left is");
    }
  }

  @Test
  void versionsOfAHostAreShownWithTheirUpgrades() throws Exception {
    assertThat(
            printed(
                """
                {"items": [
                  {"package": "till", "version": "1.1", "previous_version": "1.0",
                   "since": "2026-11-21T02:10:00.250Z", "upgrade": "n.shop.1"},
                  {"package": "till", "version": "1.0", "since": "2026-11-01T08:00:00Z",
                   "until": "2026-11-21T02:10:00.250Z"},
                  {"package": "os", "previous_version": "7", "since": "2026-11-01T08:00:00Z"}]}
                """,
                "host",
                "versions",
                "left"))
        .isEqualTo(
            """
            PACKAGE  VERSION       SINCE                 UNTIL                 UPGRADE   BEFORE
            till     1.1           2026-11-21T02:10:00Z  now                   n.shop.1  1.0
            till     1.0           2026-11-01T08:00:00Z  2026-11-21T02:10:00Z  none      -
            os       not reported  2026-11-01T08:00:00Z  now                   none      7
            """);
  }

  @Test
  void versionsOfAFleetHaveAColumnEach() throws Exception {
    assertThat(
            printed(
                """
                {"package": "till", "days": [
                  {"at": "2026-11-24T00:00:00Z", "versions": [{"version": "1.0", "hosts": 12}]},
                  {"at": "2026-11-24T19:00:00.5Z",
                   "versions": [{"version": "1.0", "hosts": 9}, {"version": "1.1", "hosts": 3}]}]}
                """,
                "device",
                "version-history",
                "till",
                "--days=2"))
        .isEqualTo(
            """
            AT                    1.0  1.1
            2026-11-24T00:00:00Z  12   0
            2026-11-24T19:00:00Z  9    3
            """);
  }

  private String printed(String answer, String... words) throws Exception {
    var out = new StringWriter();
    Path token = folder.resolve("mine");
    PrivateFile.write(token, "secret");
    try (StubServer stubServer = new StubServer().answerByDefault(200, answer)) {
      String[] line = with(with(words, "--tenant=acme"), "--url=" + stubServer.url());
      int code = Main.commandLine().setOut(new PrintWriter(out, true)).execute(with(line, "--token-file=" + token));
      assertThat(code).isZero();
    }
    return out.toString();
  }

  private static String[] with(String[] line, String option) {
    String[] all = Arrays.copyOf(line, line.length + 1);
    all[line.length] = option;
    return all;
  }

  private static String shown(String host) {
    return HostCommands.details(RestClient.JSON.readTree(host));
  }
}
