package dev.uplift.agent;

import static dev.uplift.agent.AgentReleases.code;
import static dev.uplift.agent.AgentReleases.result;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.uplift.agent.download.FaultyHttpServer;
import dev.uplift.protocol.CommandAction;
import dev.uplift.protocol.CommandResult;
import dev.uplift.protocol.Event;
import dev.uplift.protocol.Heartbeat.State;
import dev.uplift.protocol.ReleaseManifest;
import dev.uplift.temporaldev.programs.AgentVersion;
import dev.uplift.temporaldev.stack.SkewedClock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Ways in which the agent's own upgrade goes wrong, as processes under the launcher, over a real nats-server: one
/// agent works in the end, by itself, and says which and why.
@Timeout(300)
final class SelfUpgradeFailureTest extends SelfUpgradeScenario {
  private static final CommandResult HANDOVER = new CommandResult.HandoverRequired();
  @TempDir private static Path folder;

  SelfUpgradeFailureTest() throws Exception {
    super("real", "waits");
  }

  @Test
  void whatIsNotWhatWasSignedOrNotForThisHostChangesNothing() throws Exception {
    boot();
    String old = host.awaitWorking("1.0.0");
    byte[] archive = releases.archive("real");
    byte[] others = archive.clone();
    others[others.length / 2]++;

    TestCommandBuilder right = releases.prepare("real");
    String text = new String(releases.of("real").write(), UTF_8);
    Event unsigned = host.order(right.release(text, "0123456789abcdef.AAAA"));
    Event other;
    try (var lying = new FaultyHttpServer(others)) {
      other = host.order(releases.prepare("real").artifactUrl(lying.address()));
    }
    ReleaseManifest foreign = AgentReleases.release("2.0.0", archive, Map.of("architecture", "z80"));
    Event strange = host.order(testbed.draft(CommandAction.PREPARE, foreign));

    assertThat(code(unsigned)).isEqualTo("release-untrusted");
    assertThat(code(other)).isEqualTo("wrong-digest");
    assertThat(code(strange)).isEqualTo("wrong-architecture");
    assertThat(host.awaitWorking("1.0.0")).isEqualTo(old);
    assertThat(host.current()).isEqualTo("1.0.0");
    assertThat(host.alive()).containsExactly("1.0.0");
    assertThat(host.has("versions/2.0.0")).isFalse();
    testbed.awaitInfo(host.host, info -> info.upgradeError().contains("this host is"));
  }

  @Test
  void newOneThatCrashesAMinuteAfterEachStartIsLeft() throws Exception {
    host.useManualUptime();
    boot();
    releases.takeOver(host, "real");

    for (String follows : List.of("2.0.0", "2.0.0", "1.0.0")) {
      Set<String> known = host.instances();
      host.advanceUptime(61);
      host.host.killAgent("2.0.0");
      host.awaitAnother(known, follows);
    }

    assertLeft("it was started 3 times and did not stay");
  }

  @Test
  void newOneThatHangsWhenItIsAloneIsLeft() throws Exception {
    host.set("commit_within_seconds", "600").useManualUptime();
    boot();
    releases.takeOver(host, "real");
    await().until(() -> host.has("since"));
    Set<String> known = host.instances();

    host.suspend("2.0.0");
    host.advanceUptime(600);

    host.awaitAnother(known, "1.0.0");
    assertLeft("not committed within 600 s");
  }

  @Test
  void newOneThatHasLostTheServerIsLeft() throws Exception {
    host.set("commit_within_seconds", "5");
    boot();
    releases.takeOver(host, "real");

    testbed.stack.nats().kill();
    try {
      await().untilAsserted(() -> assertThat(host.alive()).containsExactly("1.0.0"));
    } finally {
      testbed.stack.nats().start();
    }

    assertLeft("not committed within 5 s");
  }

  @Test
  void whileNeitherReachesTheServerBothWait() throws Exception {
    boot();
    String old = host.awaitWorking("1.0.0");
    assertThat(result(host.order(releases.prepare("waits")))).isEqualTo(DONE);
    assertThat(result(host.order(releases.upgrade("waits")))).isEqualTo(HANDOVER);

    testbed.stack.nats().kill();
    try {
      AgentReleases.letWaitingStart(host);
      // Longer than the old one would have waited for a sign, had it been connected.
      await().during(Duration.ofSeconds(22)).until(() -> host.alive().size() == 2);
      assertThat(host.current()).isEqualTo("2.0.0");
    } finally {
      testbed.stack.nats().start();
    }

    host.awaitInstance(State.STANDBY, "2.0.0");
    assertThat(result(host.order(host.stop(releases.of("waits"), old)))).isEqualTo(DONE);
    host.awaitWorking("2.0.0");
    await().untilAsserted(() -> assertThat(host.alive()).containsExactly("2.0.0"));
  }

  @Test
  void clockOf1970AndOneThatJumpsADayAheadDecideNothing() throws Exception {
    Optional<SkewedClock> made = SkewedClock.compile(folder);
    assumeTrue(made.isPresent(), "no C compiler on this machine");
    SkewedClock clock = made.get();
    clock.setTo(Instant.ofEpochSecond(86400));
    var _ = clock.applyTo(host.host);
    boot();
    String old = releases.bringToStandby(host, "real");

    clock.setOffset(Duration.ofDays(1));
    assertThat(result(host.order(host.stop(releases.of("real"), old)))).isEqualTo(DONE);
    host.awaitWorking("2.0.0");
    Event committed = host.order(testbed.draft(CommandAction.COMMIT, releases.of("real")));

    assertThat(result(committed)).isEqualTo(DONE);
    assertThat(Files.readString(host.host.logFile())).contains("1970-01-02T");
    assertThat(committed.at()).isBetween(Instant.now().minusSeconds(3600), Instant.now().plusSeconds(3600));
    assertThat(host.alive()).containsExactly("2.0.0");
  }

  @Test
  void olderVersionIsRefusedUnlessItIsWantedAndThenComesTheSameWay() throws Exception {
    boot();
    String first = host.awaitWorking("1.0.0");
    releases.takeOver(host, "real");
    assertThat(result(host.order(testbed.draft(CommandAction.COMMIT, releases.of("real"))))).isEqualTo(DONE);
    byte[] archive = testbed.stack.agentVersion().withName("1.0.0").archive();
    ReleaseManifest older = AgentReleases.release("1.0.0", archive, Map.of());
    String digest = older.artifact().orElseThrow().sha256();

    Event byAccident = host.order(testbed.draft(CommandAction.PREPARE, older));
    assertThat(code(byAccident)).isEqualTo("downgrade");
    assertThat(host.current()).isEqualTo("2.0.0");
    String working = host.awaitWorking("2.0.0");

    assertThat(result(host.order(testbed.draftDowngrade(CommandAction.PREPARE, older)))).isEqualTo(DONE);
    assertThat(result(host.order(testbed.draftDowngrade(CommandAction.UPGRADE, older).digest(digest))))
        .isEqualTo(HANDOVER);
    host.awaitInstance(State.STANDBY, "1.0.0");
    assertThat(result(host.order(host.stop(older, working)))).isEqualTo(DONE);
    host.awaitAnother(Set.of(first), "1.0.0");
    assertThat(host.has("trial")).isTrue();
    assertThat(result(host.order(testbed.draft(CommandAction.COMMIT, older)))).isEqualTo(DONE);
    assertThat(host.alive()).containsExactly("1.0.0");
  }

  @Test
  void versionThatSaysNothingOfItselfIsUnknownAndCanBeComeBackTo() throws Exception {
    AgentVersion wordless = testbed.stack.agentVersion().withName("1.0.0").withoutVersion();
    host = new SelfUpgradingHost(testbed, newName(), wordless).useManualUptime().boot();
    String old = host.awaitWorking("unknown");
    assertThat(result(host.order(releases.prepare("real")))).isEqualTo(DONE);
    assertThat(result(host.order(releases.upgrade("real")))).isEqualTo(HANDOVER);
    host.awaitInstance(State.STANDBY, "2.0.0");
    assertThat(result(host.order(host.stop(releases.of("real"), old)))).isEqualTo(DONE);
    host.awaitWorking("2.0.0");
    await().until(() -> host.has("since"));
    testbed.sendUntrusted(host.host);

    host.advanceUptime(3600);

    host.awaitAnother(Set.of(old), "unknown");
    assertLeft("not committed within 3600 s");
  }

  private void assertLeft(String reason) throws Exception {
    testbed.awaitInfo(host.host, info -> info.upgradeError().equals("2.0.0: " + reason));
    await().untilAsserted(() -> assertThat(host.alive()).containsExactly("1.0.0"));
    assertThat(host.current()).isEqualTo("1.0.0");
    assertThat(host.has("trial")).isFalse();
  }

  private void boot() throws Exception {
    host.boot();
    host.awaitWorking("1.0.0");
  }
}
