package dev.uplift.agent.report;

import static java.lang.System.Logger.Level.DEBUG;
import static java.lang.System.Logger.Level.WARNING;

import dev.uplift.agent.driver.AgentState;
import dev.uplift.agent.driver.HostPackage;
import dev.uplift.agent.driver.PackageState;
import dev.uplift.agent.journal.OwnerHolds;
import dev.uplift.agent.journal.PackageHalts;
import dev.uplift.agent.transport.Backoff;
import dev.uplift.agent.transport.ServerUnavailable;
import dev.uplift.agent.transport.Transport;
import dev.uplift.agent.transport.WakeSignal;
import dev.uplift.agent.trust.RejectionCounter;
import dev.uplift.agent.trust.TrustStore;
import dev.uplift.protocol.AgentInfo;
import dev.uplift.protocol.Event;
import dev.uplift.protocol.Heartbeat;
import dev.uplift.protocol.Heartbeat.State;
import dev.uplift.protocol.PackageHold;
import dev.uplift.protocol.PackageOffer;
import dev.uplift.protocol.Subjects;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;

/// Publishes a heartbeat at each interval and at once after a change, and the info whenever it differs from the last
/// one. All versions are measured for it.
public final class HeartbeatPublisher {
  private static final System.Logger LOG = System.getLogger(HeartbeatPublisher.class.getName());
  private static final int MAX_MEASUREMENTS = 3;

  private final HostContext hostContext;
  private final Transport wire;
  private final ServerClock clock;
  private final PackageMeasurements measurements;
  private final RejectionCounter rejections;
  private final TrustStore trustStore;
  private final InstallBans bans;

  private final WakeSignal changed = new WakeSignal();
  private final AtomicLong changes = new AtomicLong();
  private final ReentrantLock infoLock = new ReentrantLock();
  private final AgentState agentState;
  private volatile Optional<AgentInfo.LastOutcome> lastOutcome = Optional.empty();

  /// Without its time.
  private Optional<AgentInfo> lastInfo = Optional.empty();

  private volatile SortedMap<String, PackageHold> lastHolds = new TreeMap<>();

  /// The rules that forbid this host to install packages.
  ///
  /// @param ownerHolds by the owner of the host
  /// @param halts by barriers
  public record InstallBans(OwnerHolds ownerHolds, PackageHalts halts) {}

  /// An info that the stream has stored.
  ///
  /// @param sequence in the stream
  /// @param sent by [ServerClock#nanos()], when it was sent
  /// @param acknowledged likewise
  record StoredInfo(long sequence, long sent, long acknowledged) {}

  public HeartbeatPublisher(
      HostContext hostContext,
      Transport wire,
      ServerClock clock,
      PackageMeasurements measurements,
      RejectionCounter rejections,
      TrustStore trustStore,
      InstallBans bans) {
    this.hostContext = hostContext;
    this.agentState = hostContext.agentState();
    this.wire = wire;
    this.clock = clock;
    this.measurements = measurements;
    this.rejections = rejections;
    this.trustStore = trustStore;
    this.bans = bans;
    agentState.onChange(this::changed);
  }

  /// Discards measurements from before this call, and publishes a heartbeat.
  public void changed() {
    changes.incrementAndGet();
    changed.signal();
  }

  public void setState(State next) {
    agentState.setState(next);
  }

  public void recordOutcome(Event event) {
    if (event.content() instanceof Event.Outcome outcome) {
      lastOutcome =
          Optional.of(new AgentInfo.LastOutcome(event.commandId(), event.epoch(), event.at(), outcome.result()));
    }
    changed();
  }

  /// Ends with an interrupt.
  public void run(Duration interval) {
    try {
      while (true) {
        SortedMap<String, PackageState> found = measure();
        wire.publish(Subjects.heartbeat(hostContext.subject(), hostContext.instance()), heartbeat(found).write());
        publishInfoIfChanged(found);
        agentState.recordActivity();
        changed.await(Backoff.jitter(interval, 0.1));
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  /// Publishes a heartbeat before the process or the host ends, from the last measurement.
  public void publishLastHeartbeat() {
    agentState.setState(State.STOPPING);
    var found = new TreeMap<String, PackageState>();
    hostContext.packages().keySet().forEach(name -> found.put(name, measurements.latest(name)));
    wire.publish(Subjects.heartbeat(hostContext.subject(), hostContext.instance()), heartbeat(found).write());
  }

  private SortedMap<String, PackageState> measure() throws InterruptedException {
    long before = changes.get();
    SortedMap<String, PackageState> found = measurements.measure();
    for (int tries = 1; before != changes.get() && tries < MAX_MEASUREMENTS; tries++) {
      before = changes.get();
      found = measurements.measure();
    }
    return found;
  }

  private Heartbeat heartbeat(SortedMap<String, PackageState> found) {
    boolean onTrial = found.values().stream().anyMatch(PackageState::onTrial);
    return new Heartbeat(agentState.state(), hostContext.bootId(), versions(found), onTrial, clock.forDisplay());
  }

  private static SortedMap<String, String> versions(SortedMap<String, PackageState> found) {
    var versions = new TreeMap<String, String>();
    found.forEach((name, it) -> versions.put(name, it.version()));
    return versions;
  }

  private void publishInfoIfChanged(SortedMap<String, PackageState> found) throws InterruptedException {
    infoLock.lockInterruptibly();
    try {
      AgentInfo info = info(found);
      if (!lastInfo.equals(Optional.of(withoutTime(info)))) {
        var _ = sendInfo(info);
      }
    } catch (ServerUnavailable e) {
      LOG.log(DEBUG, "the info is published with the next heartbeat: {0}", e.getMessage());
    } finally {
      infoLock.unlock();
    }
  }

  /// Publishes the info, changed or not, and a heartbeat after it, because the last one may have been lost.
  StoredInfo publishInfo() throws ServerUnavailable, InterruptedException {
    SortedMap<String, PackageState> found = measure();
    infoLock.lockInterruptibly();
    try {
      StoredInfo storedInfo = sendInfo(info(found));
      changed.signal();
      return storedInfo;
    } finally {
      infoLock.unlock();
    }
  }

  private StoredInfo sendInfo(AgentInfo info) throws ServerUnavailable, InterruptedException {
    long sent = clock.nanos();
    long sequence = wire.request(Subjects.info(hostContext.subject()), Map.of(), info.write()).storedSequence();
    lastInfo = Optional.of(withoutTime(info));
    return new StoredInfo(sequence, sent, clock.nanos());
  }

  private static AgentInfo withoutTime(AgentInfo info) {
    return info.withAt(Instant.EPOCH);
  }

  private AgentInfo info(SortedMap<String, PackageState> found) {
    List<String> kinds = hostContext.packages().values().stream().map(HostPackage::kind).distinct().sorted().toList();
    return new AgentInfo(
        AgentInfo.PROTOCOL_VERSION,
        hostContext.agentVersion(),
        kinds,
        hostContext.architecture(),
        versions(found),
        hostContext.bootId(),
        hostContext.instance(),
        agentState.state(),
        clock.forDisplay(),
        rejections.count(),
        lastOutcome,
        agentState.upgradeError(),
        trustStore.root().version(),
        readHolds(),
        offers(found),
        Optional.of(bans.halts().all()));
  }

  private static SortedMap<String, PackageOffer> offers(SortedMap<String, PackageState> found) {
    var offers = new TreeMap<String, PackageOffer>();
    for (Map.Entry<String, PackageState> each : found.entrySet()) {
      Optional<PackageOffer> offer = each.getValue().offer();
      if (offer.isPresent()) {
        offers.put(each.getKey(), offer.get());
      }
    }
    return offers;
  }

  /// If they cannot be read, the newest that could: the server is not told that nothing is held.
  private SortedMap<String, PackageHold> readHolds() {
    try {
      lastHolds = bans.ownerHolds().read();
    } catch (IOException e) {
      LOG.log(WARNING, "what the owner holds cannot be read: {0}", e.toString());
    }
    return lastHolds;
  }
}
