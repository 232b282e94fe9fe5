package dev.uplift.agent;

import static java.lang.System.Logger.Level.DEBUG;
import static java.lang.System.Logger.Level.INFO;
import static java.lang.System.Logger.Level.WARNING;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.uplift.agent.core.HostSetup;
import dev.uplift.agent.link.Away;
import dev.uplift.agent.link.Wire;
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

/// An agent beside the one that works: it beats, so that the server sees that it could, and waits
/// for the host lock. It takes no commands and touches nothing but its own sign, which it renews
/// each time it has found the server, for the other agent to see.
final class Standby {
  private static final System.Logger LOG = System.getLogger(Standby.class.getName());
  private static final Duration LONGEST_BETWEEN_SIGNS = Duration.ofSeconds(5);

  private final HostSetup setup;
  private final String packageName;
  private final Wire wire;
  private final Path sign;
  private final Duration beat;
  private final Duration betweenSigns;
  private long nextSign = System.nanoTime();
  private long nextBeat = System.nanoTime();
  private long signs;

  /// @param packageName that the agent itself is on this host
  /// @param run folder for what does not outlive a boot
  Standby(HostSetup setup, String packageName, Wire wire, Path run, Duration beat) {
    this.setup = setup;
    this.packageName = packageName;
    this.wire = wire;
    this.sign = run.resolve("standby");
    this.beat = beat;
    this.betweenSigns = beat.compareTo(LONGEST_BETWEEN_SIGNS) < 0 ? beat : LONGEST_BETWEEN_SIGNS;
  }

  /// Returns when the agent that worked has ended, however it did.
  HostLock await(Path stateFolder) throws IOException, InterruptedException {
    LOG.log(INFO, "{0} {1} waits to take over", packageName, setup.agentVersion());
    setup.standing().become(State.STANDBY);
    while (true) {
      Optional<HostLock> lock = HostLock.tryTake(stateFolder);
      if (lock.isPresent()) {
        Files.deleteIfExists(sign);
        setup.standing().become(State.RUNNING);
        return lock.get();
      }
      signAndBeat();
      setup.standing().alive();
      Thread.sleep(HostLock.BETWEEN_TRIES);
    }
  }

  /// Where the server can be reached. The sign comes first: who is seen to stand by, the agent that
  /// works has seen too, and makes way for.
  void signAndBeat() throws InterruptedException {
    long now = System.nanoTime();
    if (now - nextSign < 0) {
      return;
    }
    try {
      // Whatever it answers, it has answered.
      wire.ask(Subjects.directGetCommand(setup.subject()), Map.of(), new byte[0]);
      nextSign = now + betweenSigns.toNanos();
      renew();
      if (now - nextBeat >= 0) {
        nextBeat = now + beat.toNanos();
        wire.tell(Subjects.heartbeat(setup.subject(), setup.instance()), heartbeat().write());
      }
    } catch (Away e) {
      LOG.log(DEBUG, "has not found the server yet: {0}", e.getMessage());
      nextSign = now + Duration.ofMillis(500).toNanos();
    } catch (IOException e) {
      LOG.log(WARNING, "cannot write {0}: {1}", sign, e.toString());
      nextSign = now + betweenSigns.toNanos();
    }
  }

  private Heartbeat heartbeat() {
    var versions = new TreeMap<>(Map.of(packageName, setup.agentVersion()));
    return new Heartbeat(State.STANDBY, setup.bootId(), versions, true, Instant.now());
  }

  /// Not forced: it means nothing after a boot.
  private void renew() throws IOException {
    signs++;
    String text = setup.agentVersion() + "\n" + setup.instance() + " " + signs + "\n";
    Path fresh = sign.resolveSibling("standby.new");
    Files.write(fresh, text.getBytes(UTF_8));
    Files.move(fresh, sign, StandardCopyOption.ATOMIC_MOVE);
  }
}
