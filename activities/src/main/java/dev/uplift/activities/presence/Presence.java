package dev.uplift.activities.presence;

import dev.uplift.activities.nats.LinkState;
import dev.uplift.activities.nats.NatsLink;
import dev.uplift.activities.nats.Refusals;
import dev.uplift.activities.nats.Sender;
import dev.uplift.fleet.HostId;
import dev.uplift.protocol.Heartbeat;
import dev.uplift.protocol.MalformedMessage;
import dev.uplift.protocol.Subjects;
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

/// Hears the heartbeats of all hosts and remembers the newest of each instance, in memory: a server
/// that starts knows nothing and says so. Several servers each hear all.
public final class Presence implements NatsLink.Attachment {
  /// Far more than one server is for; who invents hosts does not fill the memory with them.
  private static final int MOST_HOSTS = 500_000;

  private record Key(String tenant, String host) {}

  private final NatsLink link;
  private final InstantSource clock;
  private final Duration silentAfter;
  private final Refusals refusals;
  private final Map<Key, HostBeats> hosts = new ConcurrentHashMap<>();
  private final List<Consumer<HeardBeat>> listeners = new CopyOnWriteArrayList<>();

  /// Only ever used by the supervisor of the link.
  private @Nullable Connection subscribed;

  /// To be attached to the link.
  ///
  /// @param silentAfter three beats and some; also how long we must have listened to say so
  public Presence(NatsLink link, InstantSource clock, Duration silentAfter, Refusals refusals) {
    this.link = link;
    this.clock = clock;
    this.silentAfter = silentAfter;
    this.refusals = refusals;
  }

  @Override
  public void attach(Connection connection) {
    // The client library subscribes again by itself on the connection that it repairs.
    if (!connection.equals(subscribed)) {
      connection.createDispatcher(this::take).subscribe(Subjects.ALL_HEARTBEATS);
      subscribed = connection;
    }
  }

  /// Is told of every beat, after it is remembered. Must return at once.
  public void listen(Consumer<HeardBeat> listener) {
    listeners.add(listener);
  }

  /// What can be said of a host now.
  public Seen of(String tenant, HostId host) {
    Instant old = silentUpTo();
    Optional<HeardBeat> newest = beats(tenant, host).speaker(old);
    if (newest.isPresent() && newest.get().at().isAfter(old)) {
      return new Seen.Alive(newest.get());
    }
    LinkState state = link.state();
    if (!state.heardAllSince(old)) {
      return new Seen.Unknown(state.since());
    }
    return new Seen.Silent(newest.map(HeardBeat::at).orElse(state.since()));
  }

  /// The newest beat of the host, as a rule that of the agent that works; empty if none is
  /// remembered.
  public Optional<HeardBeat> speaker(String tenant, HostId host) {
    return beats(tenant, host).speaker(silentUpTo());
  }

  /// A host whose newest beat is this old counts as silent.
  public Instant silentUpTo() {
    return clock.instant().minus(silentAfter);
  }

  /// Why the host is taken for two machines, in words; empty where it is one.
  public Optional<String> duplicate(String tenant, HostId host) {
    return beats(tenant, host)
        .twins(silentUpTo())
        .map(twins ->
            "two machines work as %s: instance %s of boot %s, instance %s of boot %s"
                .formatted(
                    host,
                    twins.getFirst().instance(),
                    twins.getFirst().beat().bootId(),
                    twins.getLast().instance(),
                    twins.getLast().beat().bootId()));
  }

  /// All that is remembered of a host.
  public HostBeats beats(String tenant, HostId host) {
    return hosts.getOrDefault(new Key(tenant, host.value()), HostBeats.NONE);
  }

  private void take(Message message) {
    try {
      remember(read(message));
    } catch (MalformedMessage e) {
      refusals.refuse("heartbeat", message.getSubject(), e.getMessage());
    }
  }

  private HeardBeat read(Message message) {
    Sender sender = Sender.of(message.getSubject());
    String instance = Subjects.instanceOf(message.getSubject());
    Heartbeat beat = Heartbeat.read(message.getData());
    return new HeardBeat(sender.tenant(), sender.host(), instance, beat, clock.instant());
  }

  private void remember(HeardBeat beat) {
    Key key = new Key(beat.tenant(), beat.host().value());
    if (hosts.size() >= MOST_HOSTS && !hosts.containsKey(key)) {
      throw new MalformedMessage("more than " + MOST_HOSTS + " hosts");
    }
    Instant forgotten = beat.at().minus(silentAfter);
    hosts.merge(key, HostBeats.NONE.and(beat, forgotten), (known, _) -> known.and(beat, forgotten));
    listeners.forEach(listener -> listener.accept(beat));
  }
}
