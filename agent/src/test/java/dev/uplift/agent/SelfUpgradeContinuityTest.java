package dev.uplift.agent;

import static dev.uplift.agent.AgentReleases.result;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.uplift.agent.download.FaultyHttpServer;
import dev.uplift.protocol.Command;
import dev.uplift.protocol.CommandAction;
import dev.uplift.protocol.CommandResult;
import dev.uplift.protocol.Heartbeat.State;
import dev.uplift.protocol.ReleaseManifest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Services and heartbeats continue while the agent of their host is upgraded, and a self-test changes nothing.
@Timeout(300)
final class SelfUpgradeContinuityTest extends SelfUpgradeScenario {

  SelfUpgradeContinuityTest() throws Exception {
    super("real", "verifies");
  }

  @Test
  void aServiceIsTheSameProcessBeforeDuringAndAfter() throws Exception {
    host.host.withPackage("till", "script", Map.of());
    script("inspect", "echo version=$(cat ../installed)");
    script("upgrade", "setsid sleep 100000 >/dev/null 2>&1 & echo $! >../pid; echo 1.0 >../installed");
    Files.writeString(host.host.packageFolder("till").resolveSibling("installed"), "0.9");
    host.boot();
    host.awaitWorking("1.0.0");
    assertThat(result(host.order(testbed.draft(CommandAction.PREPARE, till())))).isEqualTo(DONE);
    assertThat(result(host.order(testbed.draft(CommandAction.UPGRADE, till())))).isEqualTo(DONE);
    ProcessHandle service = service();
    Optional<Instant> started = service.info().startInstant();

    String old = releases.bringToStandby(host, "real");
    assertIsTheSame(service, started);
    assertThat(result(host.order(host.stop(releases.of("real"), old)))).isEqualTo(DONE);
    String next = host.awaitWorking("2.0.0");
    await().untilAsserted(() -> assertThat(host.alive()).containsExactly("2.0.0"));
    assertIsTheSame(service, started);
    assertThat(result(host.order(testbed.draft(CommandAction.COMMIT, releases.of("real"))))).isEqualTo(DONE);
    assertIsTheSame(service, started);

    assertThat(result(host.order(testbed.draft(CommandAction.ROLLBACK, releases.of("real"), "1.0.0"))))
        .isEqualTo(new CommandResult.HandoverRequired());
    host.awaitInstance(State.STANDBY, "1.0.0");
    assertThat(result(host.order(host.stop(releases.of("real"), next)))).isEqualTo(DONE);
    await().untilAsserted(() -> assertThat(host.alive()).containsExactly("1.0.0"));
    assertIsTheSame(service, started);
  }

  @Test
  void heartbeatsGoOnWhileTheNextVersionIsFetchedAndTested() throws Exception {
    host.host.setting("heartbeat_seconds", 1);
    host.boot();
    host.awaitWorking("1.0.0");
    try (var slow = new FaultyHttpServer(releases.archive("verifies"))) {
      slow.onNextRequest(FaultyHttpServer.trickle(20));
      Command prepare = testbed.send(host.host, releases.prepare("verifies").artifactUrl(slow.address()));
      awaitHeartbeats(State.STAGING, 3);
      testbed.send(host.host, testbed.draft(CommandAction.CANCEL, releases.of("verifies")).cancels(prepare.id()));
      assertThat(result(testbed.outcome(prepare))).isEqualTo(new CommandResult.Cancelled());
    }

    Command again = testbed.send(host.host, releases.prepare("verifies"));
    awaitHeartbeats(State.VERIFYING, 3);
    AgentReleases.letWaitingStart(host);

    assertThat(result(testbed.outcome(again))).isEqualTo(DONE);
    host.awaitWorking("1.0.0");
  }

  @Test
  void aSelfTestChangesNothingOnTheHost() throws Exception {
    host.boot();
    host.awaitWorking("1.0.0");
    assertThat(result(host.order(releases.prepare("real")))).isEqualTo(DONE);
    host.host.powerOff();
    SortedMap<String, String> before = files();
    int heartbeats = testbed.heartbeats(host.host).size();

    assertThat(selfTest()).isZero();

    assertThat(files()).isEqualTo(before);
    assertThat(testbed.heartbeats(host.host)).as("a self-test is no agent of the host").hasSize(heartbeats);
  }

  private int selfTest() throws Exception {
    var builder =
        new ProcessBuilder(host.host.agentFolder().resolve("launcher").toString(), "self-test", "2.0.0").inheritIO();
    builder.environment().put("UPLIFT_AGENT_CONFIG", host.host.config().toString());
    builder.environment().put("UPLIFT_AGENT_RUN", host.host.folder().resolve("run").toString());
    builder.environment().put("UPLIFT_AGENT_BOOT_ID", host.host.bootIdFile().toString());
    Process process = builder.start();
    assertThat(process.waitFor(2, TimeUnit.MINUTES)).isTrue();
    return process.exitValue();
  }

  /// Every file of the host but those that a boot erases: the text of its content, or where it leads.
  private SortedMap<String, String> files() throws IOException {
    var found = new TreeMap<String, String>();
    try (Stream<Path> all = Files.walk(host.host.folder())) {
      for (Path path : all.filter(each -> !each.startsWith(host.host.folder().resolve("run"))).toList()) {
        found.put(path.toString(), describe(path));
      }
    }
    return found;
  }

  private static String describe(Path path) throws IOException {
    if (Files.isSymbolicLink(path)) {
      return "to " + Files.readSymbolicLink(path);
    }
    return Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)
        ? "folder"
        : Files.getLastModifiedTime(path) + " " + Arrays.hashCode(Files.readAllBytes(path));
  }

  private void awaitHeartbeats(State state, int count) {
    await("%d heartbeats in %s".formatted(count, state))
        .until(() -> testbed.heartbeats(host.host).stream().filter(each -> each.state() == state).count() >= count);
  }

  private ProcessHandle service() throws IOException {
    Path pid = host.host.packageFolder("till").resolveSibling("pid");
    await().until(() -> Files.exists(pid) && !Files.readString(pid).isBlank());
    return ProcessHandle.of(Long.parseLong(Files.readString(pid).strip())).orElseThrow();
  }

  private static void assertIsTheSame(ProcessHandle service, Optional<Instant> started) {
    assertThat(service.isAlive()).isTrue();
    assertThat(service.info().startInstant()).isEqualTo(started);
  }

  private void script(String name, String text) throws IOException {
    Path folder = Files.createDirectories(host.host.packageFolder("till"));
    Path file = Files.writeString(folder.resolve(name), "#!/bin/sh\ncd \"${0%/*}\"\n" + text + "\n");
    assertThat(file.toFile().setExecutable(true)).isTrue();
  }

  private static ReleaseManifest till() {
    return new ReleaseManifest(
        "till",
        "script",
        "1.0",
        1,
        Optional.empty(),
        new TreeMap<>(),
        List.of(),
        Instant.parse("2026-03-01T12:00:00Z"));
  }
}
