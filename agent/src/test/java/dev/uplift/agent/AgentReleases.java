package dev.uplift.agent;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.agent.download.FaultyHttpServer;
import dev.uplift.protocol.CommandAction;
import dev.uplift.protocol.CommandResult;
import dev.uplift.protocol.Event;
import dev.uplift.protocol.Heartbeat.State;
import dev.uplift.protocol.ReleaseManifest;
import dev.uplift.temporaldev.programs.AgentVersion;
import java.io.IOException;
import java.nio.file.Files;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// Releases of 2.0.0 of the agent, each with another fault, and where they are fetched from.
final class AgentReleases implements AutoCloseable {
  private static final String WAITS = "until [ -e \"$UPLIFT_AGENT_ROOT/go\" ]; do sleep 0.1; done; ";

  private final AgentTestbed testbed;
  private final Map<String, ReleaseManifest> releases = new HashMap<>();
  private final Map<String, FaultyHttpServer> servers = new HashMap<>();

  AgentReleases(AgentTestbed testbed, String... which) {
    this.testbed = testbed;
    for (String each : which) {
      byte[] archive = archive(each);
      releases.put(each, release("2.0.0", archive, Map.of()));
      servers.put(each, new FaultyHttpServer(archive));
    }
  }

  /// 2.0.0, as it should be or as it is said.
  byte[] archive(String which) {
    AgentVersion next = testbed.stack.agentVersion().withName("2.0.0");
    String afterItsTest = "case \"$*\" in *--self-test*) exec \"$REAL\" \"$@\" ;; esac; ";
    AgentVersion made =
        switch (which) {
          case "real" -> next;
          case "crashes" -> next.withRuntime(which, afterItsTest + "exit 1");
          case "hangs" -> next.withRuntime(which, afterItsTest + "exec sleep 600");
          case "waits" -> next.withRuntime(which, afterItsTest + WAITS + "exec \"$REAL\" \"$@\"");
          case "verifies" ->
              next.withRuntime(which, "case \"$*\" in *--self-test*) " + WAITS + ";; esac; exec \"$REAL\" \"$@\"");
          case "unfit" -> next.withRuntime(which, "echo no such library; exit 1");
          case "lost" -> next.withoutConnectivity();
          default -> throw new IllegalArgumentException(which);
        };
    return made.archive();
  }

  /// Those that wait begin.
  static void letWaitingStart(SelfUpgradingHost host) throws IOException {
    Files.createFile(host.host.agentFolder().resolve("go"));
  }

  static ReleaseManifest release(String version, byte[] archive, Map<String, String> arguments) {
    return new ReleaseManifest(
        "uplift-agent",
        "agent",
        version,
        Long.parseLong(version.substring(0, 1)),
        Optional.of(new ReleaseManifest.Artifact(archive.length, sha256(archive))),
        new TreeMap<>(arguments),
        List.of(),
        Instant.parse("2026-03-01T12:00:00Z"));
  }

  private static String sha256(byte[] bytes) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  ReleaseManifest of(String which) {
    return requireNonNull(releases.get(which));
  }

  String artifactUrl(String which) {
    return requireNonNull(servers.get(which)).address();
  }

  TestCommandBuilder prepare(String which) {
    return testbed.draft(CommandAction.PREPARE, of(which)).artifactUrl(artifactUrl(which));
  }

  TestCommandBuilder upgrade(String which) {
    return upgrade(of(which));
  }

  TestCommandBuilder upgrade(ReleaseManifest release) {
    return testbed.draft(CommandAction.UPGRADE, release).digest(release.artifact().orElseThrow().sha256());
  }

  /// Until both are alive. Returns the instance that works.
  String bringToStandby(SelfUpgradingHost host, String which) throws Exception {
    String old = host.awaitWorking("1.0.0");
    assertThat(result(host.order(prepare(which)))).isEqualTo(new CommandResult.Done());
    assertThat(result(host.order(upgrade(which)))).isEqualTo(new CommandResult.HandoverRequired());
    host.awaitInstance(State.STANDBY, "2.0.0");
    return old;
  }

  /// Until it works alone, on trial.
  String takeOver(SelfUpgradingHost host, String which) throws Exception {
    String old = bringToStandby(host, which);
    assertThat(result(host.order(host.stop(of(which), old)))).isEqualTo(new CommandResult.Done());
    return host.awaitWorking("2.0.0");
  }

  static CommandResult result(Event event) {
    return ((Event.Outcome) event.content()).result();
  }

  static String code(Event event) {
    return result(event) instanceof CommandResult.Failed failed ? failed.code() : result(event).toString();
  }

  @Override
  public void close() {
    servers.values().forEach(FaultyHttpServer::close);
  }
}
