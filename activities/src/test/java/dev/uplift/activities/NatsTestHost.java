package dev.uplift.activities;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import dev.uplift.fleet.HostId;
import dev.uplift.protocol.AgentInfo;
import dev.uplift.protocol.Command;
import dev.uplift.protocol.CommandAction;
import dev.uplift.protocol.CommandResult;
import dev.uplift.protocol.Event;
import dev.uplift.protocol.Heartbeat;
import dev.uplift.protocol.Subjects;
import dev.uplift.protocol.signature.SignatureDomain;
import dev.uplift.protocol.signature.TrustedKeys;
import io.nats.client.Connection;
import io.nats.client.Message;
import io.nats.client.impl.Headers;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/// A host that the test plays. Reads its command at every notification, and while a command is awaited, as an agent
/// does: the notification may arrive before the stream has the command.
public final class NatsTestHost {
  private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(20);
  private static final Duration COMMAND_TIMEOUT = Duration.ofSeconds(75);

  private final String subject;
  private final Connection nats;
  private final TrustedKeys keys;
  private final HostId id;
  private final BlockingQueue<String> received = new LinkedBlockingQueue<>();
  private final List<Command> allCommands = new CopyOnWriteArrayList<>();
  private String instance = newInstance();
  private String boot = "boot-1";
  private String staged = "";
  private boolean onTrial;
  private volatile boolean offline;
  private long newest;

  /// Subscribes.
  ///
  /// @param nats connected as a device of the tenant
  public NatsTestHost(Connection nats, String tenant, String name, TrustedKeys keys) throws Exception {
    this.nats = nats;
    this.keys = keys;
    this.id = new HostId(name + "-" + UUID.randomUUID().toString().substring(0, 8));
    this.subject = Subjects.hostAddress(tenant, id.value());
    nats.createDispatcher(_ -> onCommandPublished()).subscribe(Subjects.command(subject));
    nats.flush(REQUEST_TIMEOUT);
  }

  private static String newInstance() {
    return UUID.randomUUID().toString();
  }

  public HostId id() {
    return id;
  }

  public String subject() {
    return subject;
  }

  private void onCommandPublished() {
    if (!offline) {
      readCommand(false);
    }
  }

  /// Receives nothing from now on.
  public void goOffline() {
    offline = true;
  }

  /// Receives again, and reads the latest command.
  public void comeOnline() {
    offline = false;
    readCommand(false);
  }

  /// Reads the latest command after a notification: the same command again if it was sent again.
  private synchronized void readCommand(boolean onlyNew) {
    try {
      Message latest = nats.request(Subjects.directGetCommand(subject), null, REQUEST_TIMEOUT);
      if (latest != null && !latest.isStatusMessage() && (isNew(latest) || !onlyNew)) {
        String signature = requireNonNull(latest.getHeaders().getFirst(Command.SIGNATURE_HEADER));
        if (!keys.verify(SignatureDomain.COMMAND, latest.getData(), signature)) {
          throw new IllegalStateException("not signed: " + new String(latest.getData(), UTF_8));
        }
        allCommands.add(Command.read(latest.getData()));
        received.add(new String(latest.getData(), UTF_8));
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  private boolean isNew(Message latest) {
    long sequence = Long.parseLong(requireNonNull(latest.getHeaders().getFirst("Nats-Sequence")));
    long before = newest;
    newest = Math.max(newest, sequence);
    return sequence > before;
  }

  /// Reads the latest command like an agent that has just connected, even if it was read before.
  public void readCommandAgain() {
    readCommand(false);
  }

  /// Waits for the next command of this kind.
  public Command awaitCommand(CommandAction commandAction) throws InterruptedException {
    while (true) {
      Command command = read(awaitCommandText());
      if (command.action() == commandAction) {
        return command;
      }
    }
  }

  /// Waits for the next command that is not a re-send of one up to `last`.
  public Command awaitCommandAfter(Command last) throws InterruptedException {
    while (true) {
      Command command = read(awaitCommandText());
      if (command.epoch() > last.epoch()) {
        return command;
      }
    }
  }

  /// Waits for the text of the next command.
  public String awaitCommandText() throws InterruptedException {
    long end = System.nanoTime() + COMMAND_TIMEOUT.toNanos();
    while (System.nanoTime() < end) {
      String body = received.poll(1, TimeUnit.SECONDS);
      if (body != null) {
        return body;
      }
      if (!offline) {
        readCommand(true);
      }
    }
    throw new AssertionError("no command came");
  }

  public static Command read(String body) {
    return Command.read(body.getBytes(UTF_8));
  }

  /// Returns all commands that were read, including re-sends.
  public List<Command> allCommands() {
    return List.copyOf(allCommands);
  }

  /// Continues as another agent in the same boot.
  public NatsTestHost restartAgent() {
    instance = newInstance();
    return this;
  }

  public NatsTestHost reboot(String bootId) {
    boot = bootId;
    return restartAgent();
  }

  public NatsTestHost setStagedVersion(String version) {
    staged = version;
    return this;
  }

  public String instance() {
    return instance;
  }

  public void sendHeartbeat(String version) throws Exception {
    sendHeartbeat(version, false);
  }

  public void sendHeartbeat(String version, boolean trial) throws Exception {
    sendHeartbeat(instance, boot, version, trial);
  }

  public void sendHeartbeat(String from, String bootId, String version, boolean trial) throws Exception {
    sendHeartbeat(from, new Heartbeat(Heartbeat.State.RUNNING, bootId, versions(version), trial, Instant.now()));
  }

  public void sendHeartbeatInState(Heartbeat.State state, String version) throws Exception {
    sendHeartbeat(instance, new Heartbeat(state, boot, versions(version), false, Instant.now()));
  }

  /// Sends the heartbeat of one of two agents on the host.
  public void sendHeartbeatOf(String agent, Heartbeat.State state, String version, boolean trial) throws Exception {
    sendHeartbeat(agent, new Heartbeat(state, boot, versions(version), trial, Instant.now()));
  }

  /// What its events say from now on.
  public void setOnTrial(boolean onTrial) {
    this.onTrial = onTrial;
  }

  /// Continues as this agent.
  public void switchInstance(String agent) {
    instance = agent;
  }

  /// Publishes the info of an agent of this version whose own upgrade has failed.
  public void publishInfo(String agentVersion, String upgradeError) throws Exception {
    var info =
        new AgentInfo(
            AgentInfo.PROTOCOL_VERSION,
            agentVersion,
            List.of("simulated"),
            "x86_64",
            versions(agentVersion),
            boot,
            instance,
            Heartbeat.State.RUNNING,
            Instant.now(),
            0,
            Optional.empty(),
            upgradeError,
            0,
            new TreeMap<>(),
            new TreeMap<>(),
            Optional.empty());
    nats.request(Subjects.info(subject), info.write(), REQUEST_TIMEOUT);
  }

  private void sendHeartbeat(String from, Heartbeat heartbeat) throws Exception {
    nats.publish(Subjects.heartbeat(subject, from), heartbeat.write());
    nats.flush(REQUEST_TIMEOUT);
  }

  private static SortedMap<String, String> versions(String version) {
    return new TreeMap<>(Map.of(InProcessServer.PACKAGE, version));
  }

  /// A host that has prepared is heard: without a heartbeat it would not be sent its first change.
  public void answer(Command command, String version, CommandResult commandResult) throws Exception {
    if (command.action() == CommandAction.PREPARE) {
      sendHeartbeat(version);
    }
    publishEvent(outcome(command.id(), command.epoch(), version, commandResult));
  }

  public Event outcome(String command, long epoch, String version, CommandResult commandResult) {
    return event(command, epoch, version, new Event.Outcome(commandResult, ""));
  }

  public void accept(Command command, String version) throws Exception {
    publishEvent(event(command.id(), command.epoch(), version, new Event.Accepted()));
  }

  public Event event(String command, long epoch, String version, Event.Content content) {
    return new Event(command, epoch, instance, boot, version, staged, onTrial, Instant.now(), content);
  }

  public void publishEvent(Event event) throws Exception {
    publishEvent(subject, event.write());
  }

  /// Publishes an event, and returns once the stream has it.
  public void publishEvent(String host, byte[] event) throws Exception {
    // A new message id, so that a repeated event arrives twice.
    Headers headers = new Headers().put(Event.ID_HEADER, UUID.randomUUID().toString());
    Message ack = nats.request(Subjects.events(host), headers, event, REQUEST_TIMEOUT);
    if (ack == null || !new String(ack.getData(), UTF_8).contains("\"seq\"")) {
      throw new IOException("not stored: " + ack);
    }
  }

  public void disconnect() throws Exception {
    nats.close();
  }
}
