package dev.uplift.agent;

import static org.awaitility.Awaitility.await;

import dev.uplift.protocol.Action;
import dev.uplift.protocol.CommandDraft;
import dev.uplift.protocol.Event;
import dev.uplift.protocol.Heartbeat;
import dev.uplift.protocol.Heartbeat.State;
import dev.uplift.protocol.ReleaseManifest;
import dev.uplift.temporaldev.AgentVersion;
import dev.uplift.temporaldev.Host;
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
import java.util.Set;
import java.util.TreeMap;

/// A host whose agent is a package of it, at 1.0.0.
final class Installed implements AutoCloseable {
  final Host host;
  private final Site site;
  private final Map<String, String> settings =
      new HashMap<>(Map.of("standby_s", "20", "mode", "beside"));

  Installed(Site site, String name) {
    this.site = site;
    host = site.host(name).installs(site.stack.agentVersion().named("1.0.0"));
  }

  Installed set(String name, String text) {
    settings.put(name, text);
    return this;
  }

  /// 2.0.0, as it should be or as it is said.
  static byte[] archive(Site site, String which) {
    AgentVersion next = site.stack.agentVersion().named("2.0.0");
    String afterItsTest = "case \"$*\" in *--self-test*) exec \"$REAL\" \"$@\" ;; esac; ";
    AgentVersion made =
        switch (which) {
          case "real" -> next;
          case "crashes" -> next.onRuntime(which, afterItsTest + "exit 1");
          case "hangs" -> next.onRuntime(which, afterItsTest + "exec sleep 600");
          case "unfit" -> next.onRuntime(which, "echo no such library; exit 1");
          case "lost" -> next.thatCannotConnect();
          default -> throw new IllegalArgumentException(which);
        };
    return made.archive();
  }

  static ReleaseManifest release(String version, byte[] archive) {
    return new ReleaseManifest(
        "uplift-agent",
        "agent",
        version,
        Long.parseLong(version.substring(0, 1)),
        Optional.of(new ReleaseManifest.Artifact(archive.length, sha256(archive))),
        new TreeMap<>(),
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

  Installed boot() {
    host.upgradesItsAgent(settings).powerOn();
    return this;
  }

  Event order(CommandDraft draft) throws Exception {
    return site.outcome(site.send(host, draft));
  }

  /// The one that works, once it does.
  String awaitWorking(String version) {
    return awaitInstance(State.RUNNING, version);
  }

  String awaitInstance(State state, String version) {
    return await(version + " is " + state)
        .until(
            () ->
                site.newestBeats(host).entrySet().stream()
                    .filter(each -> is(each.getValue(), state, version))
                    .map(Map.Entry::getKey)
                    .findFirst(),
            Optional::isPresent)
        .orElseThrow();
  }

  private static boolean is(Heartbeat beat, State state, String version) {
    return beat.state() == state && beat.version("uplift-agent").equals(version);
  }

  CommandDraft stop(ReleaseManifest release, String instance) {
    return site.draft(Action.STOP, release).to(instance).reason("the new agent stands by");
  }

  /// The versions whose agents are alive.
  Set<String> alive() {
    return host.agents().keySet();
  }

  String current() throws IOException {
    return Files.readSymbolicLink(host.agentFolder().resolve("current")).getFileName().toString();
  }

  boolean has(String file) {
    return Files.exists(host.agentFolder().resolve(file));
  }

  @Override
  public void close() {
    host.kill();
  }
}
