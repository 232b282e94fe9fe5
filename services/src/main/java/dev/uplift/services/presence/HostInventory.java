package dev.uplift.services.presence;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Comparator.comparing;

import dev.uplift.fleet.HostId;
import dev.uplift.protocol.AgentInfo;
import dev.uplift.protocol.PackageHold;
import dev.uplift.protocol.PackageOffer;
import dev.uplift.protocol.json.MalformedMessage;
import dev.uplift.services.messaging.BatchWriter;
import dev.uplift.services.messaging.MessageOrigin;
import dev.uplift.services.messaging.RejectedMessages;
import dev.uplift.store.device.HeartbeatRow;
import dev.uplift.store.device.HostInfo;
import dev.uplift.store.device.HostOffer;
import dev.uplift.store.device.HostRepository;
import dev.uplift.store.device.RecordedInfo;
import dev.uplift.store.device.ReportedInfo;
import dev.uplift.store.pin.HostHold;
import io.nats.client.Message;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BinaryOperator;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// Writes the infos and heartbeats of hosts to the tables, for lists and counts. It is seconds late; [Presence] knows
/// whether a host is online now.
@Singleton
public final class HostInventory {
  private static final Duration REDELIVERY_DELAY = Duration.ofSeconds(30);

  /// How long an info waits for its tenant to be created.
  private static final int MAX_DELIVERIES = 20;

  /// How often an unchanged heartbeat is written, so that people see its time.
  private static final Duration REFRESH_INTERVAL = Duration.ofMinutes(5);

  /// Few enough that their rows are not locked for long, because a transaction that waits for one holds a connection.
  private static final int BATCH = 100;

  private static final Consumer<Message> ACKNOWLEDGE = Message::ack;

  private record Key(String tenant, String host) {
    static Key of(ReceivedHeartbeat beat) {
      return new Key(beat.tenant(), beat.host().value());
    }

    static Key of(ReportedInfo info) {
      return new Key(info.tenant(), info.host().value());
    }
  }

  /// Hears of hosts of a tenant that report other versions, holds or offers than before, or are heard again.
  @FunctionalInterface
  public interface ChangeListener {
    void onChange(String tenant, Set<HostId> hosts);
  }

  private final HostRepository hosts;
  private final BatchWriter batchWriter;
  private final BatchWriter.RowWriter<ReportedInfo> infoWriter = new BatchWriter.RowWriter<>("host", this::write);
  private final RejectedMessages rejectedMessages;
  private final Map<Key, ReceivedHeartbeat> toWrite = new ConcurrentHashMap<>();
  private final Map<Key, ReceivedHeartbeat> written = new ConcurrentHashMap<>();

  /// Hosts that have changed, until listeners are told.
  private final Set<Key> changed = ConcurrentHashMap.newKeySet();

  private final List<ChangeListener> listeners = new CopyOnWriteArrayList<>();

  public HostInventory(HostRepository hosts, BatchWriter batchWriter, RejectedMessages rejectedMessages) {
    this.hosts = hosts;
    this.batchWriter = batchWriter;
    this.rejectedMessages = rejectedMessages;
  }

  /// Tells the listener what has changed, after it was written. A host that was silent or unknown to this server, and
  /// is heard, counts as changed, because something may wait for it.
  public void addListener(ChangeListener listener) {
    listeners.add(listener);
  }

  /// Has all heartbeats written that are received from now on.
  public void listenTo(Presence presence) {
    presence.addListener(this::onHeartbeat);
    presence.addArrivalListener(beat -> changed.add(Key.of(beat)));
  }

  /// Accepts an info, which is written soon.
  public void accept(Message message) {
    try {
      MessageOrigin messageOrigin = MessageOrigin.of(message.getSubject());
      AgentInfo info = AgentInfo.read(message.getData());
      batchWriter.enqueue(
          message,
          infoWriter,
          new ReportedInfo(
              messageOrigin.tenant(), messageOrigin.host(), row(message, info), holds(info), offers(info)));
    } catch (MalformedMessage e) {
      reject(message, e);
    }
  }

  /// An info replaces the one before it: of those of a host that come together only the newest is written.
  private List<Consumer<Message>> write(List<ReportedInfo> rows) {
    Map<Key, ReportedInfo> newest =
        rows.stream()
            .collect(
                Collectors.toMap(
                    Key::of,
                    row -> row,
                    BinaryOperator.maxBy(comparing(row -> row.info().receivedAt())),
                    LinkedHashMap::new));
    List<ReportedInfo> reports = List.copyOf(newest.values());
    List<RecordedInfo> results = hosts.recordInfos(reports);
    Map<Key, Consumer<Message>> actions =
        IntStream.range(0, reports.size())
            .mapToObj(i -> Map.entry(Key.of(reports.get(i)), results.get(i)))
            .collect(Collectors.toMap(Map.Entry::getKey, entry -> afterwards(entry.getKey(), entry.getValue())));
    return rows.stream()
        .map(row -> row.equals(newest.get(Key.of(row))) ? actions.get(Key.of(row)) : ACKNOWLEDGE)
        .toList();
  }

  private Consumer<Message> afterwards(Key key, RecordedInfo result) {
    return switch (result) {
      case RECORDED -> ACKNOWLEDGE;
      case CHANGED ->
          message -> {
            message.ack();
            changed.add(key);
          };
      case NO_TENANT -> this::awaitTenant;
    };
  }

  private void awaitTenant(Message message) {
    if (message.metaData().deliveredCount() < MAX_DELIVERIES) {
      message.nakWithDelay(REDELIVERY_DELAY);
    } else {
      reject(message, new MalformedMessage("subject: expected a tenant that exists"));
    }
  }

  private void reject(Message message, MalformedMessage why) {
    rejectedMessages.record("info", message.getSubject(), why.getMessage());
    message.term();
  }

  private static HostInfo row(Message message, AgentInfo info) {
    return new HostInfo(
        new String(message.getData(), UTF_8),
        info.agentVersion(),
        info.architecture(),
        info.protocolVersion() == AgentInfo.PROTOCOL_VERSION ? info.drivers() : List.of(),
        info.bootId(),
        info.instance(),
        info.state().wireName(),
        info.versions(),
        message.metaData().timestamp().toInstant());
  }

  private static List<HostHold> holds(AgentInfo info) {
    return info.holds().entrySet().stream()
        .map(entry -> {
          PackageHold hold = entry.getValue();
          return new HostHold(entry.getKey(), hold.reason(), hold.by(), hold.since(), hold.until());
        })
        .toList();
  }

  private static List<HostOffer> offers(AgentInfo info) {
    return info.offers().entrySet().stream()
        .map(entry -> {
          PackageOffer offer = entry.getValue();
          return new HostOffer(entry.getKey(), offer.digest(), offer.updates(), offer.security());
        })
        .toList();
  }

  /// Accepts a heartbeat, to be written with others. Ignores agents that stand by, because they do not know what their
  /// host runs.
  private void onHeartbeat(ReceivedHeartbeat beat) {
    if (!beat.isFromActiveInstance()) {
      return;
    }
    Key key = Key.of(beat);
    ReceivedHeartbeat before = written.get(key);
    if (before == null || hasChanged(beat, before)) {
      toWrite.put(key, beat);
    }
  }

  private static boolean hasChanged(ReceivedHeartbeat beat, ReceivedHeartbeat before) {
    return !beat.instance().equals(before.instance())
        || !beat.heartbeat().bootId().equals(before.heartbeat().bootId())
        || beat.heartbeat().state() != before.heartbeat().state()
        || !beat.heartbeat().versions().equals(before.heartbeat().versions())
        || beat.receivedAt().isAfter(before.receivedAt().plus(REFRESH_INTERVAL));
  }

  /// Writes what was received, and tells listeners once all of it is written. To be called every few seconds.
  public void write() {
    List<Map.Entry<Key, ReceivedHeartbeat>> batch = new ArrayList<>(toWrite.entrySet());
    for (int from = 0; from < batch.size(); from += BATCH) {
      writeHeartbeats(batch.subList(from, Math.min(from + BATCH, batch.size())));
    }
    takeChanged().forEach((tenant, ids) -> listeners.forEach(listener -> listener.onChange(tenant, ids)));
  }

  private Map<String, Set<HostId>> takeChanged() {
    Map<String, Set<HostId>> taken = new TreeMap<>();
    for (Key key : List.copyOf(changed)) {
      changed.remove(key);
      taken.computeIfAbsent(key.tenant(), _ -> new HashSet<>()).add(new HostId(key.host()));
    }
    return taken;
  }

  private void writeHeartbeats(List<Map.Entry<Key, ReceivedHeartbeat>> batch) {
    hosts.recordHeartbeats(batch.stream().map(entry -> row(entry.getValue())).toList());
    for (Map.Entry<Key, ReceivedHeartbeat> entry : batch) {
      if (isNews(entry.getValue(), written.get(entry.getKey()))) {
        changed.add(entry.getKey());
      }
      written.put(entry.getKey(), entry.getValue());
      // A newer one is kept for the next time.
      toWrite.remove(entry.getKey(), entry.getValue());
    }
  }

  private static boolean isNews(ReceivedHeartbeat beat, @Nullable ReceivedHeartbeat before) {
    return before == null || !beat.heartbeat().versions().equals(before.heartbeat().versions());
  }

  private static HeartbeatRow row(ReceivedHeartbeat beat) {
    return new HeartbeatRow(
        beat.tenant(),
        beat.host(),
        beat.instance(),
        beat.heartbeat().bootId(),
        beat.heartbeat().state().wireName(),
        beat.heartbeat().versions(),
        beat.receivedAt());
  }
}
