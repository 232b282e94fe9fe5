package dev.uplift.agent;

import static java.lang.System.Logger.Level.DEBUG;
import static java.lang.System.Logger.Level.INFO;
import static java.lang.System.Logger.Level.WARNING;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.uplift.agent.report.HostContext;
import dev.uplift.agent.transport.ServerUnavailable;
import dev.uplift.agent.transport.Transport;
import dev.uplift.protocol.Heartbeat;
import dev.uplift.protocol.Heartbeat.State;
import dev.uplift.protocol.Subjects;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// An agent that waits for the host lock beside the one that works. It publishes heartbeats, so that the server knows
/// of it. It executes no commands and writes only its own sign for the other agent, each time it has reached the
/// server.
final class Standby {
  private static final System.Logger LOG = System.getLogger(Standby.class.getName());
  private static final Duration MAX_SIGN_INTERVAL = Duration.ofSeconds(5);

  private final HostContext setup;
  private final String packageName;
  private final Transport wire;
  private final Path signFile;
  private final Duration heartbeatInterval;
  private final Duration signInterval;
  private long nextSign = System.nanoTime();
  private long nextHeartbeat = System.nanoTime();
  private long signCount;

  /// @param packageName that the agent itself is on this host
  /// @param run folder for what does not outlive a boot
  Standby(HostContext setup, String packageName, Transport wire, Path run, Duration heartbeatInterval) {
    this.setup = setup;
    this.packageName = packageName;
    this.wire = wire;
    this.signFile = run.resolve("standby");
    this.heartbeatInterval = heartbeatInterval;
    this.signInterval = heartbeatInterval.compareTo(MAX_SIGN_INTERVAL) < 0 ? heartbeatInterval : MAX_SIGN_INTERVAL;
  }

  /// Returns when the agent that worked has ended, however it did.
  HostLock awaitTakeover(Path stateFolder) throws IOException, InterruptedException {
    LOG.log(INFO, "{0} {1} waits to take over", packageName, setup.agentVersion());
    setup.agentState().setState(State.STANDBY);
    while (true) {
      Optional<HostLock> lock = HostLock.tryAcquire(stateFolder);
      if (lock.isPresent()) {
        Files.deleteIfExists(signFile);
        setup.agentState().setState(State.RUNNING);
        return lock.get();
      }
      signAndPublishHeartbeat();
      setup.agentState().recordActivity();
      Thread.sleep(HostLock.RETRY_INTERVAL);
    }
  }

  /// Does nothing while the server is unavailable. The sign comes first: once the server sees the successor, the
  /// working agent has seen it too, and can hand over.
  void signAndPublishHeartbeat() throws InterruptedException {
    long now = System.nanoTime();
    if (now - nextSign < 0) {
      return;
    }
    try {
      // Whatever it answers, it has answered.
      wire.request(Subjects.directGetCommand(setup.subject()), Map.of(), new byte[0]);
      nextSign = now + signInterval.toNanos();
      writeSign();
      if (now - nextHeartbeat >= 0) {
        nextHeartbeat = now + heartbeatInterval.toNanos();
        wire.publish(Subjects.heartbeat(setup.subject(), setup.instance()), heartbeat().write());
      }
    } catch (ServerUnavailable e) {
      LOG.log(DEBUG, "has not found the server yet: {0}", e.getMessage());
      nextSign = now + Duration.ofMillis(500).toNanos();
    } catch (IOException e) {
      LOG.log(WARNING, "cannot write {0}: {1}", signFile, e.toString());
      nextSign = now + signInterval.toNanos();
    }
  }

  private Heartbeat heartbeat() {
    var versions = new TreeMap<>(Map.of(packageName, setup.agentVersion()));
    return new Heartbeat(State.STANDBY, setup.bootId(), versions, true, Instant.now());
  }

  /// Not forced: it means nothing after a boot.
  private void writeSign() throws IOException {
    signCount++;
    String text = setup.agentVersion() + "\n" + setup.instance() + " " + signCount + "\n";
    Path fresh = signFile.resolveSibling("standby.new");
    Files.write(fresh, text.getBytes(UTF_8));
    Files.move(fresh, signFile, StandardCopyOption.ATOMIC_MOVE);
  }
}
