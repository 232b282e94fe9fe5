package dev.uplift.e2e;

import static dev.uplift.e2e.AgentUpgradeScenario.AGENT;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.temporaldev.programs.AgentVersion;
import dev.uplift.temporaldev.stack.Stack;
import dev.uplift.testservers.TestServers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import tools.jackson.databind.JsonNode;

/// A real server upgrades real agents, and something fails. In the end exactly one agent is active, the server knows
/// which one, and the upgrade has the reason.
@Timeout(400)
final class AgentUpgradeFailureTest {
  private static final Map<String, AgentUpgradeScenario> FAULTY = new LinkedHashMap<>();
  private static Stack stack;
  private static TestRestClient rest;

  /// @param version of the faulty release, which is also the name of its host
  record AgentFault(String version, String outcome, String code, String message) {
    @Override
    public String toString() {
      return version;
    }
  }

  static final List<AgentFault> FAULTS =
      List.of(
          new AgentFault("2.1.0-crashes", "rolled-back", "rolled-back", "started 3 times"),
          new AgentFault("2.2.0-hangs", "rolled-back", "rolled-back", "no heartbeat of it within 10 s"),
          new AgentFault("2.3.0-unfit", "prepare-failed", "self-test-failed", "no such library"),
          new AgentFault("2.4.0-altered", "prepare-failed", "wrong-digest", "SHA-256"),
          new AgentFault("2.5.0-foreign", "prepare-failed", "wrong-architecture", "z80"));

  @BeforeAll
  static void startServers() throws Exception {
    stack = TestServers.stack().open();
    stack
        .server()
        .environment("UPLIFT_PRESENCE_SILENT_AFTER", "PT20S")
        .environment("UPLIFT_TIMEOUTS_RESEND_INTERVAL", "PT3S");
    stack.start();
    rest = new TestRestClient(stack, "acme");
    AgentVersion next = stack.agentVersion();
    rest.publish(AGENT, "agent", "1.0.0", 10, next.withName("1.0.0").archive());
    rest.publish(AGENT, "agent", "2.0.0", 20, next.withName("2.0.0").archive());
    AgentVersion gated = AgentUpgradeScenario.gated(next.withName("2.9.0"));
    rest.publish(AGENT, "agent", "2.9.0", 29, gated.archive());
    startFaulty(next);
  }

  /// Starts all of them at the same time, because they are independent.
  private static void startFaulty(AgentVersion next) throws Exception {
    String tested = "case \"$*\" in *--self-test*) exec \"$REAL\" \"$@\" ;; esac; ";
    publish(next.withName("2.1.0-crashes").withRuntime("crashes", tested + "exit 1"), Map.of());
    publish(next.withName("2.2.0-hangs").withRuntime("hangs", tested + "exec sleep 600"), Map.of());
    publish(next.withName("2.3.0-unfit").withRuntime("unfit", "echo no such library; exit 1"), Map.of());
    alter(publish(next.withName("2.4.0-altered").withFile("more", "x"), Map.of()));
    publish(next.withName("2.5.0-foreign"), Map.of("architecture", "z80"));
    for (AgentFault agentFault : FAULTS) {
      String name = agentFault.version.substring(agentFault.version.indexOf('-') + 1);
      AgentUpgradeScenario site = AgentUpgradeScenario.in(stack, rest, name, Map.of("standby_timeout_seconds", "10"));
      site.host().launch();
      FAULTY.put(agentFault.version, site);
    }
    for (AgentFault agentFault : FAULTS) {
      AgentUpgradeScenario site = requireNonNull(FAULTY.get(agentFault.version));
      site.host().awaitReady();
      site.upgrade(agentFault.version);
    }
  }

  private static byte[] publish(AgentVersion version, Map<String, String> arguments) {
    byte[] archive = version.archive();
    long sequence = Long.parseLong(version.name().substring(0, 3).replace(".", ""));
    rest.publish(AGENT, "agent", version.name(), sequence, archive, arguments);
    return archive;
  }

  /// Alters the artifact in the server's folder after it was signed.
  private static void alter(byte[] archive) throws IOException {
    try (Stream<Path> all = Files.walk(stack.server().artifactsFolder())) {
      for (Path file : all.filter(each -> Files.isRegularFile(each)).toList()) {
        byte[] bytes = Files.readAllBytes(file);
        if (Arrays.equals(bytes, archive)) {
          bytes[bytes.length / 2]++;
          Files.write(file, bytes);
        }
      }
    }
  }

  @AfterAll
  static void endAll() {
    stack.close();
  }

  @ParameterizedTest
  @FieldSource("FAULTS")
  void hostKeepsItsVersionAndTheUpgradeHasTheReason(AgentFault agentFault) throws Exception {
    AgentUpgradeScenario site = requireNonNull(FAULTY.get(agentFault.version));

    JsonNode end = site.awaitEnd();

    assertThat(end.path("outcome").asString()).as(end.toString()).isEqualTo(agentFault.outcome);
    assertThat(end.path("reason").path("code").asString()).isEqualTo(agentFault.code);
    assertThat(end.path("reason").path("message").asString()).contains(agentFault.message);
    site.assertOnlyRunning("1.0.0");
    AgentUpgradeScenario.awaitThat(
        "the host reports it as well",
        () -> site.hostView().path("upgrade_error").asString("").contains(agentFault.message));
    site.host().stop();
  }

  @Test
  void killedBetweenAnyTwoStepsTheServerContinues() throws Exception {
    AgentUpgradeScenario site =
        site("killed", Map.of("standby_timeout_seconds", "120", "self_test_timeout_seconds", "120"));
    site.upgrade("killed", "2.9.0", Map.of("host_soak_seconds", 5));

    site.awaitGate("test");
    kill();
    stack.server().start();
    site.openGate("test");

    site.awaitGate("start");
    kill();
    site.openGate("start");
    site.awaitStandby();
    assertThat(site.host().agents()).containsOnlyKeys("1.0.0", "2.9.0");
    stack.server().start();

    site.awaitOnlyRunning("2.9.0");
    kill();
    stack.server().start();

    AgentUpgradeScenario.awaitThat("it soaks or has soaked", () -> soaks("killed"));
    kill();
    stack.server().start();

    assertThat(site.awaitEnd().path("outcome").asString()).isEqualTo("upgraded");
    site.assertOnlyRunning("2.9.0");
  }

  @Test
  void versionThatIsNotCommittedBecauseTheServerIsDownStays() throws Exception {
    AgentUpgradeScenario site =
        site("forgotten", Map.of("standby_timeout_seconds", "60", "commit_within_seconds", "10"));
    site.upgrade("forgotten", "2.0.0", Map.of("host_soak_seconds", 30));

    site.awaitOnlyRunning("2.0.0");
    kill();
    long begun = site.awaitTrialAfter(0);
    var _ = site.awaitTrialAfter(begun + 20);
    assertThat(site.host().agents()).containsOnlyKeys("2.0.0");
    stack.server().start();

    JsonNode end = site.awaitEnd();
    assertThat(end.path("outcome").asString()).as(end.toString()).isEqualTo("upgraded");
    site.assertOnlyRunning("2.0.0");
  }

  @Test
  void agentThatDiesBeforeItIsStoppedIsSucceeded() throws Exception {
    AgentUpgradeScenario site = site("orphan", Map.of("standby_timeout_seconds", "60"));
    site.upgrade("2.9.0");
    site.awaitGate("test");
    site.openGate("test");
    site.awaitGate("start");

    site.host().killAgent("1.0.0");
    site.openGate("start");

    assertThat(site.awaitEnd().path("outcome").asString()).isEqualTo("upgraded");
    site.assertOnlyRunning("2.9.0");
  }

  @Test
  void powerFailureDuringTheHandoverDoesNotChangeTheOutcome() throws Exception {
    AgentUpgradeScenario site = site("dark", Map.of("standby_timeout_seconds", "60"));
    site.upgrade("2.9.0");
    site.awaitGate("test");
    site.openGate("test");
    site.awaitGate("start");

    site.host().powerOff();
    site.openGate("start");
    site.host().powerOn();

    assertThat(site.awaitEnd().path("outcome").asString()).isEqualTo("upgraded");
    site.assertOnlyRunning("2.9.0");
  }

  @Test
  void olderVersionIsInstalledOnPurposeButNotByAccident() throws Exception {
    AgentUpgradeScenario site = site("older", Map.of("standby_timeout_seconds", "60"));
    site.upgrade("older-up", "2.0.0", Map.of());
    assertThat(site.awaitEnd("older-up").path("outcome").asString()).isEqualTo("upgraded");
    site.assertOnlyRunning("2.0.0");

    TestRestClient.RestResponse accident = rest.startUpgrade("older-accident", "older", AGENT, "1.0.0");
    assertThat(accident.status()).as(accident.text()).isEqualTo(409);
    assertThat(accident.text()).contains("downgrade: 2.0.0 on older is newer");
    site.assertOnlyRunning("2.0.0");

    rest.allowDowngradeTo(AGENT, "1.0.0");
    site.upgrade("older-wanted", "1.0.0", Map.of("allow_downgrade", true));
    JsonNode wanted = site.awaitEnd("older-wanted");
    assertThat(wanted.path("outcome").asString()).as(wanted.toString()).isEqualTo("upgraded");
    site.assertOnlyRunning("1.0.0");
  }

  private static AgentUpgradeScenario site(String name, Map<String, String> settings) {
    return AgentUpgradeScenario.in(stack, rest, name, settings).boot();
  }

  private static void kill() {
    stack.server().kill();
  }

  private static boolean soaks(String upgrade) {
    JsonNode seen = rest.upgrade(upgrade);
    return seen.toString().contains("\"soak\"") || !seen.path("outcome").asString("").isEmpty();
  }
}
