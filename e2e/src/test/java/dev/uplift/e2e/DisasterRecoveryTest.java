package dev.uplift.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.uplift.temporaldev.stack.Stack;
import dev.uplift.temporaldev.stack.StackProcess;
import dev.uplift.testservers.PostgresServer;
import dev.uplift.testservers.TestServers;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.commons.io.file.PathUtils;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/// The data of one part is lost in the middle of a rollout over three devices: the first is upgraded, the second is at
/// work, the third has not begun. Counts the effects on the hosts themselves.
@Timeout(300)
final class DisasterRecoveryTest {
  private static final Duration TIMEOUT = Duration.ofMinutes(2);
  private static final String ROLLOUT = "night";

  /// The parts of the diagnosis that a loss can harm.
  private static final Set<String> PARTS =
      Set.of("database", "nats", "streams", "temporal", "trust", "workflows", "convergence");

  private final Stack stack = TestServers.stack().open();
  private final PostgresServer database =
      TestServers.postgres(stack.host("acme", "database").servicePort("postgresql"));
  private TestRestClient rest;
  private RebootUpgradeScenario first;
  private RebootUpgradeScenario second;
  private RebootUpgradeScenario third;

  @BeforeEach
  void startRollout() {
    SimulatedFleet.on(database, stack.server());
    stack.start();
    rest = new TestRestClient(stack, "acme");
    first = RebootUpgradeScenario.in(stack, rest, "first");
    second = RebootUpgradeScenario.in(stack, rest, "second");
    third = RebootUpgradeScenario.in(stack, rest, "third");
    first.os().hold(ScriptedOs.HoldableVerb.upgrade);
    second.os().hold(ScriptedOs.HoldableVerb.upgrade);
    rest.startRollout(
        ROLLOUT,
        Map.of(
            "package",
            "os",
            "version",
            "1.5.0",
            "selection",
            "true",
            "everything",
            true,
            "waves",
            List.of(
                Map.of("expression", "device == 'first'"),
                Map.of("expression", "device == 'second'"),
                Map.of("rest", true)),
            "thresholds",
            Map.of("success_percent", 1, "failures", 3, "failure_percent", 100)));
    first.awaitEffect("upgrade 1.5.0");
  }

  @AfterEach
  void endAll() {
    stack.close();
    database.close();
  }

  @Test
  void anOlderCopyOfTheDatabaseIsCaughtUpWithTemporalAndTheHosts() throws Exception {
    stack.server().stop();
    execute("CREATE DATABASE older TEMPLATE postgres");
    stack.server().start();
    letSecondBegin();

    stack.server().kill();
    execute("DROP DATABASE postgres WITH (FORCE)");
    execute("CREATE DATABASE postgres TEMPLATE older");
    stack.server().start();
    awaitConverged();
    second.os().release(ScriptedOs.HoldableVerb.upgrade);

    assertThat(awaitEndOfRollout()).isEqualTo("upgraded");
    assertEachUpgradedOnce();
    assertDoctorIsContent();
  }

  @Test
  void withoutTheDataOfNatsEverythingGoesOn() throws Exception {
    letSecondBegin();

    lose(stack.nats());
    second.os().release(ScriptedOs.HoldableVerb.upgrade);

    assertThat(awaitEndOfRollout()).isEqualTo("upgraded");
    assertEachUpgradedOnce();
    assertDoctorIsContent();
  }

  @Test
  void withoutTheDataOfTemporalARolloutWaitsForAPerson() throws Exception {
    letSecondBegin();

    lose(stack.temporal());
    second.os().release(ScriptedOs.HoldableVerb.upgrade);

    resumeAndUpgradeSecondAgain();
  }

  /// The copy has the workflows of the rollout and of the first device, and none of the second.
  @Test
  void withAnOlderCopyOfTemporalARolloutWaitsForAPerson(@TempDir Path folder) throws Exception {
    Path copy = folder.resolve("temporal");
    stack.temporal().stop();
    PathUtils.copyDirectory(stack.temporal().folder(), copy);
    stack.temporal().start();
    letSecondBegin();

    stack.temporal().kill();
    PathUtils.deleteDirectory(stack.temporal().folder());
    PathUtils.copyDirectory(copy, stack.temporal().folder());
    stack.temporal().start();
    second.os().release(ScriptedOs.HoldableVerb.upgrade);

    resumeAndUpgradeSecondAgain();
  }

  @Test
  void withOnlyTheDatabaseLeftARolloutWaitsForAPerson() throws Exception {
    letSecondBegin();

    stack.server().kill();
    lose(stack.nats());
    lose(stack.temporal());
    stack.server().start();
    second.os().release(ScriptedOs.HoldableVerb.upgrade);
    awaitConverged();

    resumeAndUpgradeSecondAgain();
  }

  private void letSecondBegin() {
    first.os().release(ScriptedOs.HoldableVerb.upgrade);
    second.awaitEffect("upgrade 1.5.0");
  }

  /// No workflow watches what the second device does any more, so its upgrade is given up, and the rollout says so. The
  /// device does what it was told, and nothing more until a person asks.
  private void resumeAndUpgradeSecondAgain() {
    awaitRollout("paused");
    assertThat(rest.diagnosis().path("findings"))
        .filteredOn(finding -> finding.path("text").asString("").contains("stranded: 1 (acme/second)"))
        .singleElement()
        .satisfies(finding -> {
          assertThat(finding.path("severity").asString()).isEqualTo("warning");
          assertThat(finding.path("advice").asString()).contains("uplift upgrade list --outcome stranded");
        });
    rest.sendRolloutAction(ROLLOUT, "resume").expectStatus(200);
    assertThat(awaitEndOfRollout()).isEqualTo("partial");
    JsonNode lost = rest.get("upgrades?device=second").expectStatus(200).body().path("items").path(0);
    assertThat(lost.path("outcome").asString()).as(lost.toPrettyString()).isEqualTo("stranded");
    assertThat(first.os().effects()).isEqualTo(RebootUpgradeScenario.EACH_ONCE);
    assertThat(second.os().effects()).containsExactly("prepare 1.5.0", "upgrade 1.5.0");
    assertThat(third.os().effects()).isEqualTo(RebootUpgradeScenario.EACH_ONCE);

    rest.startUpgrade("again", "second", "os", "1.5.0").expectStatus(201);
    await("the end of the second upgrade").atMost(TIMEOUT).until(() -> !rest.outcome("again").isEmpty());
    assertThat(rest.outcome("again")).as(rest.upgrade("again").toPrettyString()).isEqualTo("upgraded");
    assertThat(second.os().effects())
        .containsExactly("prepare 1.5.0", "upgrade 1.5.0", "prepare 1.5.0", "upgrade 1.5.0", "boot 1.5.0");
    assertDoctorIsContent();
  }

  private void assertDoctorIsContent() {
    await("nothing is left to do")
        .atMost(TIMEOUT)
        .untilAsserted(() ->
            assertThat(rest.diagnosis().path("findings"))
                .filteredOn(finding -> PARTS.contains(finding.path("part").asString("")))
                .isNotEmpty()
                .allSatisfy(finding -> assertThat(finding.path("severity").asString("")).isEqualTo("ok")));
  }

  private String awaitEndOfRollout() {
    return awaitRollout("ended").path("outcome").asString();
  }

  private JsonNode awaitRollout(String state) {
    return await("the rollout is " + state)
        .atMost(TIMEOUT)
        .pollInterval(Duration.ofMillis(200))
        .until(() -> rest.rollout(ROLLOUT), rollout -> rollout.path("state").asString().equals(state));
  }

  private void awaitConverged() {
    await("the server has converged")
        .atMost(TIMEOUT)
        .until(() -> rest.health().at("/details/convergence/details").path(0).asString("").equals("converged"));
  }

  private void assertEachUpgradedOnce() {
    for (RebootUpgradeScenario site : List.of(first, second, third)) {
      assertThat(site.os().effects()).isEqualTo(RebootUpgradeScenario.EACH_ONCE);
    }
  }

  private static void lose(StackProcess part) throws Exception {
    part.kill();
    PathUtils.deleteDirectory(part.folder());
    part.start();
  }

  private void execute(String sql) throws Exception {
    try (var connection = DriverManager.getConnection(database.url("template1"), database.user(), "");
        var statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
