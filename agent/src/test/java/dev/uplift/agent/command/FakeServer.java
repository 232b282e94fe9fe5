package dev.uplift.agent.command;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.awaitility.Awaitility.await;

import dev.uplift.agent.transport.Reply;
import dev.uplift.agent.transport.ServerUnavailable;
import dev.uplift.agent.transport.Transport;
import dev.uplift.protocol.AgentInfo;
import dev.uplift.protocol.Command;
import dev.uplift.protocol.Event;
import dev.uplift.protocol.Heartbeat;
import dev.uplift.protocol.SignedTrustRoot;
import dev.uplift.protocol.Subjects;
import dev.uplift.protocol.signature.SignatureDomain;
import dev.uplift.protocol.signature.SigningKey;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// The server's side of one host: a slot, two streams and a clock, without NATS.
final class FakeServer implements Transport {
  static final Instant NOW = Instant.parse("2026-03-29T01:30:00Z");
  static final String HOST = Subjects.hostAddress("acme", "left");

  volatile SigningKey key = SigningKey.generate();
  final List<String> messageIds = new CopyOnWriteArrayList<>();
  final List<String> traces = new CopyOnWriteArrayList<>();
  final AtomicInteger mailboxReads = new AtomicInteger();
  final AtomicInteger acksToLose = new AtomicInteger();
  final AtomicInteger duplicatesToAnswer = new AtomicInteger();
  private final List<Event> events = new CopyOnWriteArrayList<>();
  private final List<String> eventTexts = new CopyOnWriteArrayList<>();
  private final List<Heartbeat> heartbeats = new CopyOnWriteArrayList<>();
  private final List<AgentInfo> infos = new CopyOnWriteArrayList<>();
  private final Map<String, Reply> roots = new ConcurrentHashMap<>();
  private final AtomicInteger sequence = new AtomicInteger();
  private volatile @Nullable Reply mailbox;
  private volatile @Nullable Listener listener;
  private volatile boolean unavailable;
  private volatile boolean hasNoTimestamps;

  @Override
  public void publish(String subject, byte[] body) {
    if (!unavailable) {
      heartbeats.add(Heartbeat.read(body));
    }
  }

  @Override
  public Reply request(String subject, Map<String, String> headers, byte[] body) throws ServerUnavailable {
    if (unavailable) {
      throw new ServerUnavailable("the test has it so");
    }
    if (subject.equals(Subjects.directGetCommand(HOST))) {
      Reply lies = mailbox;
      mailboxReads.incrementAndGet();
      return lies == null ? new Reply(Reply.NOT_FOUND, Map.of(), new byte[0]) : lies;
    }
    if (subject.equals(Subjects.directGetInfo(HOST))) {
      return readBack();
    }
    if (subject.contains(".device-trust.")) {
      return roots.getOrDefault(subject, new Reply(Reply.NOT_FOUND, Map.of(), new byte[0]));
    }
    if (subject.equals(Subjects.info(HOST))) {
      infos.add(AgentInfo.read(body));
    } else {
      messageIds.add(headers.getOrDefault(Event.ID_HEADER, "none"));
      traces.add(headers.getOrDefault(Command.TRACE_HEADER, "none"));
      eventTexts.add(new String(body, UTF_8));
      events.add(Event.read(body));
      if (acksToLose.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
        throw new ServerUnavailable("the acknowledgement is lost");
      }
      if (duplicatesToAnswer.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
        return new Reply(Reply.OK, Map.of(), "{\"stream\":\"S\",\"seq\":1,\"duplicate\":true}".getBytes(UTF_8));
      }
    }
    return new Reply(Reply.OK, Map.of(), ("{\"stream\":\"S\",\"seq\":" + infos.size() + "}").getBytes(UTF_8));
  }

  private Reply readBack() {
    return hasNoTimestamps
        ? new Reply(Reply.NOT_FOUND, Map.of(), new byte[0])
        : new Reply(
            Reply.OK,
            Map.of("Nats-Sequence", Integer.toString(infos.size()), "Nats-Time-Stamp", NOW.toString()),
            infos.getLast().write());
  }

  @Override
  public void subscribe(String subject, Listener fresh) {
    listener = fresh;
    fresh.onConnected();
  }

  @Override
  public void unsubscribe(String subject) {
    listener = null;
  }

  void becomeUnavailable() {
    unavailable = true;
  }

  void becomeAvailable() {
    unavailable = false;
    Optional.ofNullable(listener).ifPresent(Listener::onConnected);
  }

  void withoutTimestamps(boolean hasNone) {
    hasNoTimestamps = hasNone;
  }

  void notifyAgent() {
    Optional.ofNullable(listener).ifPresent(Listener::onMessage);
  }

  /// Signed, put into the slot, and rung for.
  Command send(Command command) {
    store(command);
    notifyAgent();
    return command;
  }

  void store(Command command) {
    store(command.write(), key.sign(SignatureDomain.COMMAND, command.write()));
  }

  /// As above, of a command that belongs to a trace.
  Command send(Command command, String trace) {
    byte[] body = command.write();
    mailbox =
        new Reply(
            Reply.OK,
            Map.of(
                "Nats-Sequence",
                Integer.toString(sequence.incrementAndGet()),
                Command.SIGNATURE_HEADER,
                key.sign(SignatureDomain.COMMAND, body),
                Command.TRACE_HEADER,
                trace),
            body);
    notifyAgent();
    return command;
  }

  void store(byte[] body, String signature) {
    Map<String, String> headers =
        signature.isEmpty()
            ? Map.of("Nats-Sequence", Integer.toString(sequence.incrementAndGet()))
            : Map.of(
                "Nats-Sequence", Integer.toString(sequence.incrementAndGet()), Command.SIGNATURE_HEADER, signature);
    mailbox = new Reply(Reply.OK, headers, body);
  }

  /// Kept as the root of that version, whatever it is.
  void storeRoot(long version, SignedTrustRoot root) {
    roots.put(Subjects.directGetRoot("acme", Long.toString(version)), new Reply(Reply.OK, Map.of(), root.write()));
  }

  void clearMailbox() {
    mailbox = null;
  }

  List<Event> events() {
    return List.copyOf(events);
  }

  List<Heartbeat> heartbeats() {
    return List.copyOf(heartbeats);
  }

  boolean lastHeartbeatMatches(Predicate<Heartbeat> wanted) {
    List<Heartbeat> all = heartbeats();
    return !all.isEmpty() && wanted.test(all.getLast());
  }

  AgentInfo info() {
    return infos.getLast();
  }

  List<AgentInfo> infos() {
    return List.copyOf(infos);
  }

  /// All that was said of how a command ended, word for word.
  List<String> outcomes(String commandId) {
    return eventTexts.stream().filter(text -> text.contains("\"" + commandId + "\",\"type\":\"outcome\"")).toList();
  }

  /// Waits for it.
  Event outcome(Command command) {
    return outcome(command.id());
  }

  Event outcome(String commandId) {
    return await("outcome of " + commandId)
        .dontCatchUncaughtExceptions()
        .atMost(Duration.ofSeconds(60))
        .until(
            () ->
                events.stream()
                    .filter(event -> event.content() instanceof Event.Outcome)
                    .filter(event -> event.commandId().equals(commandId))
                    .findFirst(),
            Optional::isPresent)
        .orElseThrow();
  }
}
