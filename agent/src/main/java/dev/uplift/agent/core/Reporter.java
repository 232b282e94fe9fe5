package dev.uplift.agent.core;

import static java.lang.System.Logger.Level.DEBUG;

import dev.uplift.agent.driver.Found;
import dev.uplift.agent.driver.Standing;
import dev.uplift.agent.link.Away;
import dev.uplift.agent.link.Backoff;
import dev.uplift.agent.link.Bell;
import dev.uplift.agent.link.Wire;
import dev.uplift.protocol.AgentInfo;
import dev.uplift.protocol.Event;
import dev.uplift.protocol.Heartbeat;
import dev.uplift.protocol.Heartbeat.State;
import dev.uplift.protocol.Subjects;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;

/// Says what the host is: a heartbeat every so often and at once after a change, and the info
/// whenever it differs from the last one. All that is said of versions was measured for it.
final class Reporter {
  private static final System.Logger LOG = System.getLogger(Reporter.class.getName());
  private static final int TRIES_TO_MEASURE = 3;

  private final HostSetup setup;
  private final Wire wire;
  private final ServerClock clock;
  private final Measurements measurements;
  private final Refusals refusals;

  private final Bell changed = new Bell();
  private final AtomicLong changes = new AtomicLong();
  private final ReentrantLock informing = new ReentrantLock();
  private final Standing standing;
  private volatile Optional<AgentInfo.Last> last = Optional.empty();
  private byte[] told = {};

  /// That the stream has what was told.
  ///
  /// @param sequence under which
  /// @param sent by [ServerClock#nanos()], when it was sent
  /// @param acknowledged likewise
  record Kept(long sequence, long sent, long acknowledged) {}

  Reporter(
      HostSetup setup, Wire wire, ServerClock clock, Measurements measurements, Refusals refusals) {
    this.setup = setup;
    this.standing = setup.standing();
    this.wire = wire;
    this.clock = clock;
    this.measurements = measurements;
    this.refusals = refusals;
    standing.onChange(this::changed);
  }

  /// What was measured before this call is not told any more.
  void changed() {
    changes.incrementAndGet();
    changed.ring();
  }

  void become(State next) {
    standing.become(next);
  }

  void answered(Event event) {
    if (event.said() instanceof Event.Outcome outcome) {
      last =
          Optional.of(
              new AgentInfo.Last(event.commandId(), event.epoch(), event.at(), outcome.result()));
    }
    changed();
  }

  /// Ends with an interrupt.
  void run(Duration beat) {
    try {
      while (true) {
        SortedMap<String, Found> found = measure();
        wire.tell(Subjects.heartbeat(setup.subject(), setup.instance()), heartbeat(found).write());
        informIfChanged(found);
        standing.alive();
        changed.await(Backoff.spread(beat, 0.1));
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  /// A beat before the process or the host ends, from what was measured last.
  void lastBeat() {
    standing.become(State.STOPPING);
    var found = new TreeMap<String, Found>();
    setup.packages().keySet().forEach(name -> found.put(name, measurements.last(name)));
    wire.tell(Subjects.heartbeat(setup.subject(), setup.instance()), heartbeat(found).write());
  }

  private SortedMap<String, Found> measure() throws InterruptedException {
    long before = changes.get();
    SortedMap<String, Found> found = measurements.now();
    for (int tries = 1; before != changes.get() && tries < TRIES_TO_MEASURE; tries++) {
      before = changes.get();
      found = measurements.now();
    }
    return found;
  }

  private Heartbeat heartbeat(SortedMap<String, Found> found) {
    boolean onTrial = found.values().stream().anyMatch(Found::trial);
    return new Heartbeat(standing.state(), setup.bootId(), versions(found), onTrial, clock.toSay());
  }

  private static SortedMap<String, String> versions(SortedMap<String, Found> found) {
    var versions = new TreeMap<String, String>();
    found.forEach((name, it) -> versions.put(name, it.version()));
    return versions;
  }

  private void informIfChanged(SortedMap<String, Found> found) throws InterruptedException {
    informing.lockInterruptibly();
    try {
      if (!Arrays.equals(timeless(found), told)) {
        var _ = tell(found);
      }
    } catch (Away e) {
      LOG.log(DEBUG, "the info is told with the next beat: {0}", e.getMessage());
    } finally {
      informing.unlock();
    }
  }

  /// Tells the info, changed or not, and has a beat follow: the last one may have been said to
  /// nobody.
  Kept introduce() throws Away, InterruptedException {
    SortedMap<String, Found> found = measure();
    informing.lockInterruptibly();
    try {
      Kept kept = tell(found);
      changed.ring();
      return kept;
    } finally {
      informing.unlock();
    }
  }

  private Kept tell(SortedMap<String, Found> found) throws Away, InterruptedException {
    byte[] body = info(found, clock.toSay()).write();
    byte[] next = timeless(found);
    long sent = clock.nanos();
    long sequence = wire.ask(Subjects.info(setup.subject()), Map.of(), body).keptAs();
    told = next;
    return new Kept(sequence, sent, clock.nanos());
  }

  private byte[] timeless(SortedMap<String, Found> found) {
    return info(found, Instant.EPOCH).write();
  }

  private AgentInfo info(SortedMap<String, Found> found, Instant at) {
    List<String> kinds =
        setup.packages().values().stream().map(HostPackage::kind).distinct().sorted().toList();
    return new AgentInfo(
        AgentInfo.PROTOCOL,
        setup.agentVersion(),
        kinds,
        setup.architecture(),
        versions(found),
        setup.bootId(),
        setup.instance(),
        standing.state(),
        at,
        refusals.count(),
        last,
        standing.upgradeError());
  }
}
