package dev.uplift.services.presence;

import dev.uplift.fleet.HostId;
import dev.uplift.fleet.presence.OutageRule;
import dev.uplift.fleet.presence.SuspectedOutage;
import dev.uplift.protocol.Heartbeat;
import dev.uplift.protocol.Subjects;
import dev.uplift.protocol.json.MalformedMessage;
import dev.uplift.services.messaging.MessageOrigin;
import dev.uplift.services.messaging.NatsConnection;
import dev.uplift.services.messaging.RejectedMessages;
import io.nats.client.Connection;
import io.nats.client.Message;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Receives the heartbeats of all hosts and keeps the newest of each instance, in memory: a server that has just
/// started answers `unknown`. Each of several servers receives all.
///
/// Silence says something about a host only if it would have been heard. So presence is `unknown` until this process
/// has listened for long enough ([ListeningMonitor]), and while so many hosts have fallen silent at once that the cause
/// is probably between them and NATS ([OutageMonitor]).
public final class Presence implements HostPresence, NatsConnection.ConnectionInitializer, AutoCloseable {
  /// Upper bound against made-up host names, far more than one server is made for.
  private static final int MAX_HOSTS = 500_000;

  private static final Duration TICK = Duration.ofSeconds(1);

  /// How many times hosts are counted while one becomes silent.
  private static final int CHECKS_PER_SILENCE = 20;

  private record Key(String tenant, String host) {}

  private final InstantSource clock;
  private final Duration silentAfter;
  private final ListeningMonitor listening;
  private final OutageMonitor outages;
  private final RejectedMessages rejectedMessages;
  private final Map<Key, HostHeartbeats> hosts = new ConcurrentHashMap<>();
  private final List<Consumer<ReceivedHeartbeat>> listeners = new CopyOnWriteArrayList<>();
  private final List<Consumer<ReceivedHeartbeat>> arrivalListeners = new CopyOnWriteArrayList<>();

  /// Used by the supervisor of the connection only.
  private @Nullable Connection subscribed;

  /// Does not keep the process alive.
  private final Thread ticker = Thread.ofPlatform().daemon().name("presence").unstarted(this::tickUntilClosed);

  private volatile Instant lastCheck;

  /// To be added to the connection as an initializer.
  ///
  /// @param silentAfter three heartbeat intervals and some; also how long the connection must have been up to call a
  ///   host silent
  public Presence(
      NatsConnection nats,
      InstantSource clock,
      Duration silentAfter,
      OutageRule outageRule,
      RejectedMessages rejectedMessages) {
    this.clock = clock;
    this.silentAfter = silentAfter;
    this.listening = new ListeningMonitor(clock, nats::status);
    this.outages = new OutageMonitor(outageRule, silentAfter);
    this.rejectedMessages = rejectedMessages;
    this.lastCheck = clock.instant();
  }

  /// With the default rule for outages.
  public Presence(NatsConnection nats, InstantSource clock, Duration silentAfter, RejectedMessages rejectedMessages) {
    this(nats, clock, silentAfter, OutageRule.DEFAULTS, rejectedMessages);
  }

  private void tickUntilClosed() {
    try {
      while (true) {
        tick();
        Thread.sleep(TICK);
      }
    } catch (InterruptedException _) {
      // Closed.
    }
  }

  /// Notes that this process is not frozen, and counts hosts from time to time.
  void tick() {
    ListeningMonitor.Period period = listening.tick();
    Instant now = clock.instant();
    if (!lastCheck.plus(silentAfter.dividedBy(CHECKS_PER_SILENCE)).isAfter(now)) {
      lastCheck = now;
      outages.check(lastHeard(), period, now);
    }
  }

  private List<OutageMonitor.LastHeard> lastHeard() {
    List<OutageMonitor.LastHeard> all = new ArrayList<>(hosts.size());
    hosts.forEach((key, heartbeats) ->
        heartbeats
            .newest()
            .ifPresent(newest -> all.add(new OutageMonitor.LastHeard(key.tenant(), newest.receivedAt()))));
    return all;
  }

  @Override
  public void initialize(Connection connection) {
    if (ticker.getState() == Thread.State.NEW) {
      ticker.start();
    }
    // The client library subscribes again by itself on the connection that it repairs.
    if (!connection.equals(subscribed)) {
      connection.createDispatcher(this::onMessage).subscribe(Subjects.ALL_HEARTBEATS);
      subscribed = connection;
    }
  }

  /// The listener receives every heartbeat, after it is stored. It must return at once.
  public void addListener(Consumer<ReceivedHeartbeat> listener) {
    listeners.add(listener);
  }

  /// The listener receives each heartbeat that makes its host alive: until then [#status] said that it was silent or
  /// unknown. It must return at once.
  public void addArrivalListener(Consumer<ReceivedHeartbeat> listener) {
    arrivalListeners.add(listener);
  }

  @Override
  public PresenceStatus status(String tenant, HostId host) {
    ListeningMonitor.Period period = listening.tick();
    Instant old = silenceCutoff();
    HostHeartbeats heartbeats = heartbeats(tenant, host);
    Optional<ReceivedHeartbeat> alive = heartbeats.findAlive(old);
    if (alive.isPresent()) {
      return new PresenceStatus.Alive(alive.get());
    }
    if (period.since().isAfter(old)) {
      return new PresenceStatus.Unknown(period.since(), period.reason());
    }
    Instant lastHeard = heartbeats.newest().map(ReceivedHeartbeat::receivedAt).orElse(period.since());
    return outages
        .covering(tenant, lastHeard)
        .<PresenceStatus>map(outage -> new PresenceStatus.Unknown(outage.since(), outage.describe()))
        .orElseGet(() -> new PresenceStatus.Silent(lastHeard));
  }

  /// How many hosts of devices there are, by their [PresenceStatus].
  public record HostsByPresence(long online, long silent, long unknown) {}

  /// Counts the hosts of all tenants.
  ///
  /// @param total how many there are; those that were never heard are silent, as far as they would have been heard
  public HostsByPresence countHosts(long total) {
    Instant old = silenceCutoff();
    boolean isListening = !listening.tick().since().isAfter(old);
    long online = 0;
    long inOutage = 0;
    for (OutageMonitor.LastHeard host : lastHeard()) {
      if (host.at().isAfter(old)) {
        online++;
      } else if (outages.covering(host.tenant(), host.at()).isPresent()) {
        inOutage++;
      }
    }
    long missing = Math.max(0, total - online);
    long unknown = isListening ? Math.min(missing, inOutage) : missing;
    return new HostsByPresence(online, missing - unknown, unknown);
  }

  @Override
  public Optional<String> describeOutage(String tenant) {
    return outages.open(tenant).map(SuspectedOutage::describe);
  }

  /// Returns the outages that are suspected now, of all tenants.
  public List<SuspectedOutage> suspectedOutages() {
    return outages.open();
  }

  @Override
  public Optional<ReceivedHeartbeat> activeInstance(String tenant, HostId host) {
    return heartbeats(tenant, host).activeInstance(silenceCutoff());
  }

  /// Returns from when on the silence of a host says something about it, if this process listens until then: a time in
  /// the past if it is so now.
  public Instant knownFrom() {
    return listening.tick().since().plus(silentAfter);
  }

  /// Returns the time up to which a newest heartbeat makes its host silent.
  public Instant silenceCutoff() {
    return clock.instant().minus(silentAfter);
  }

  @Override
  public Optional<String> describeDuplicates(String tenant, HostId host) {
    return heartbeats(tenant, host)
        .duplicateInstances(silenceCutoff())
        .map(duplicates ->
            "two machines work as %s: instance %s of boot %s, instance %s of boot %s"
                .formatted(
                    host,
                    duplicates.getFirst().instance(),
                    duplicates.getFirst().heartbeat().bootId(),
                    duplicates.getLast().instance(),
                    duplicates.getLast().heartbeat().bootId()));
  }

  /// Returns the heartbeats of a host.
  public HostHeartbeats heartbeats(String tenant, HostId host) {
    return hosts.getOrDefault(new Key(tenant, host.value()), HostHeartbeats.NONE);
  }

  private void onMessage(Message message) {
    try {
      remember(read(message));
    } catch (MalformedMessage e) {
      rejectedMessages.record("heartbeat", message.getSubject(), e.getMessage());
    }
  }

  private ReceivedHeartbeat read(Message message) {
    MessageOrigin messageOrigin = MessageOrigin.of(message.getSubject());
    String instance = Subjects.instanceOf(message.getSubject());
    Heartbeat heartbeat = Heartbeat.read(message.getData());
    return new ReceivedHeartbeat(messageOrigin.tenant(), messageOrigin.host(), instance, heartbeat, clock.instant());
  }

  private void remember(ReceivedHeartbeat beat) {
    Key key = new Key(beat.tenant(), beat.host().value());
    if (hosts.size() >= MAX_HOSTS && !hosts.containsKey(key)) {
      throw new MalformedMessage("more than " + MAX_HOSTS + " hosts");
    }
    Instant forgotten = beat.receivedAt().minus(silentAfter);
    boolean wasAlive = hosts.getOrDefault(key, HostHeartbeats.NONE).isAlive(forgotten);
    hosts.compute(key, (_, known) -> (known == null ? HostHeartbeats.NONE : known).with(beat, forgotten));
    if (!wasAlive) {
      arrivalListeners.forEach(listener -> listener.accept(beat));
    }
    listeners.forEach(listener -> listener.accept(beat));
  }

  @Override
  public void close() {
    ticker.interrupt();
  }
}
