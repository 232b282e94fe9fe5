package dev.uplift.services.presence;

import dev.uplift.fleet.HostId;
import dev.uplift.protocol.Heartbeat;
import dev.uplift.protocol.Subjects;
import dev.uplift.protocol.json.MalformedMessage;
import dev.uplift.services.messaging.ConnectionStatus;
import dev.uplift.services.messaging.MessageOrigin;
import dev.uplift.services.messaging.NatsConnection;
import dev.uplift.services.messaging.RejectedMessages;
import io.nats.client.Connection;
import io.nats.client.Message;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Receives the heartbeats of all hosts and keeps the newest of each instance, in memory: a server that has just
/// started answers `unknown`. Each of several servers receives all.
public final class Presence implements HostPresence, NatsConnection.ConnectionInitializer {
  /// Upper bound against made-up host names, far more than one server is made for.
  private static final int MAX_HOSTS = 500_000;

  private record Key(String tenant, String host) {}

  private final NatsConnection nats;
  private final InstantSource clock;
  private final Duration silentAfter;
  private final RejectedMessages rejectedMessages;
  private final Map<Key, HostHeartbeats> hosts = new ConcurrentHashMap<>();
  private final List<Consumer<ReceivedHeartbeat>> listeners = new CopyOnWriteArrayList<>();

  /// Used by the supervisor of the connection only.
  private @Nullable Connection subscribed;

  /// To be added to the connection as an initializer.
  ///
  /// @param silentAfter three heartbeat intervals and some; also how long the connection must have been up to call a
  ///   host silent
  public Presence(NatsConnection nats, InstantSource clock, Duration silentAfter, RejectedMessages rejectedMessages) {
    this.nats = nats;
    this.clock = clock;
    this.silentAfter = silentAfter;
    this.rejectedMessages = rejectedMessages;
  }

  @Override
  public void initialize(Connection connection) {
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

  @Override
  public PresenceStatus status(String tenant, HostId host) {
    Instant old = silenceCutoff();
    Optional<ReceivedHeartbeat> newest = heartbeats(tenant, host).activeInstance(old);
    if (newest.isPresent() && newest.get().receivedAt().isAfter(old)) {
      return new PresenceStatus.Alive(newest.get());
    }
    ConnectionStatus status = nats.status();
    if (!status.isConnectedSince(old)) {
      return new PresenceStatus.Unknown(status.since());
    }
    return new PresenceStatus.Silent(newest.map(ReceivedHeartbeat::receivedAt).orElse(status.since()));
  }

  @Override
  public Optional<ReceivedHeartbeat> activeInstance(String tenant, HostId host) {
    return heartbeats(tenant, host).activeInstance(silenceCutoff());
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
    hosts.merge(key, HostHeartbeats.NONE.with(beat, forgotten), (known, _) -> known.with(beat, forgotten));
    listeners.forEach(listener -> listener.accept(beat));
  }
}
