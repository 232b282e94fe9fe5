package dev.uplift.activities.presence;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.uplift.activities.nats.Notebook;
import dev.uplift.activities.nats.Refusals;
import dev.uplift.activities.nats.Sender;
import dev.uplift.protocol.AgentInfo;
import dev.uplift.protocol.MalformedMessage;
import dev.uplift.store.Beat;
import dev.uplift.store.HostInfo;
import dev.uplift.store.Hosts;
import io.nats.client.Message;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/// Writes down what hosts say of themselves and what their beats show, for lists and counts. Lags
/// behind by seconds; whether a host is there now, [Presence] knows.
public final class Inventory {
  private static final Duration LATER = Duration.ofSeconds(30);

  /// For so long an info waits for its tenant to be created.
  private static final int DELIVERIES = 20;

  /// A beat that shows nothing new is written down this often, so that people see when it was.
  private static final Duration AT_LEAST_EVERY = Duration.ofMinutes(5);

  /// Few enough that their rows are not locked for long: whoever waits for one holds a connection,
  /// and there are only so many.
  private static final int BATCH = 100;

  private record Key(String tenant, String host) {}

  private final Hosts hosts;
  private final Notebook notebook;
  private final Refusals refusals;
  private final Map<Key, HeardBeat> toWrite = new ConcurrentHashMap<>();
  private final Map<Key, HeardBeat> written = new ConcurrentHashMap<>();

  public Inventory(Hosts hosts, Notebook notebook, Refusals refusals) {
    this.hosts = hosts;
    this.notebook = notebook;
    this.refusals = refusals;
  }

  /// Takes an info, which stands in the tables soon.
  public void accept(Message message) {
    try {
      Sender sender = Sender.of(message.getSubject());
      HostInfo info = info(message);
      notebook.noteIf(message, () -> write(message, sender, info));
    } catch (MalformedMessage e) {
      refuse(message, e);
    }
  }

  private Runnable write(Message message, Sender sender, HostInfo info) {
    if (hosts.said(sender.tenant(), sender.host(), info)) {
      return message::ack;
    }
    return message.metaData().deliveredCount() < DELIVERIES
        ? () -> message.nakWithDelay(LATER)
        : () -> refuse(message, new MalformedMessage("subject: expected a tenant that exists"));
  }

  private void refuse(Message message, MalformedMessage why) {
    refusals.refuse("info", message.getSubject(), why.getMessage());
    message.term();
  }

  private static HostInfo info(Message message) {
    AgentInfo info = AgentInfo.read(message.getData());
    return new HostInfo(
        new String(message.getData(), UTF_8),
        info.agentVersion(),
        info.architecture(),
        info.drivers(),
        info.bootId(),
        info.instance(),
        info.state().word(),
        info.versions(),
        message.metaData().timestamp().toInstant());
  }

  /// Takes a beat, to be written down with others: but not of an agent that only stands by, for it
  /// knows nothing of what its host runs.
  public void hear(HeardBeat beat) {
    if (!beat.isFromWorkingAgent()) {
      return;
    }
    Key key = new Key(beat.tenant(), beat.host().value());
    HeardBeat before = written.get(key);
    if (before == null || saysMore(beat, before)) {
      toWrite.put(key, beat);
    }
  }

  private static boolean saysMore(HeardBeat beat, HeardBeat before) {
    return !beat.instance().equals(before.instance())
        || !beat.beat().bootId().equals(before.beat().bootId())
        || beat.beat().state() != before.beat().state()
        || !beat.beat().versions().equals(before.beat().versions())
        || beat.at().isAfter(before.at().plus(AT_LEAST_EVERY));
  }

  /// Writes down what was heard. To be called every few seconds.
  public void write() {
    List<Map.Entry<Key, HeardBeat>> batch = new ArrayList<>(toWrite.entrySet());
    for (int from = 0; from < batch.size(); from += BATCH) {
      write(batch.subList(from, Math.min(from + BATCH, batch.size())));
    }
  }

  private void write(List<Map.Entry<Key, HeardBeat>> batch) {
    hosts.heard(batch.stream().map(entry -> row(entry.getValue())).toList());
    for (Map.Entry<Key, HeardBeat> entry : batch) {
      written.put(entry.getKey(), entry.getValue());
      // A newer one stays for the next time.
      toWrite.remove(entry.getKey(), entry.getValue());
    }
  }

  private static Beat row(HeardBeat beat) {
    return new Beat(
        beat.tenant(),
        beat.host(),
        beat.instance(),
        beat.beat().bootId(),
        beat.beat().state().word(),
        beat.beat().versions(),
        beat.at());
  }
}
