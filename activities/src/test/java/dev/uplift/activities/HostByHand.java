package dev.uplift.activities;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import dev.uplift.fleet.HostId;
import dev.uplift.protocol.Action;
import dev.uplift.protocol.AgentInfo;
import dev.uplift.protocol.Command;
import dev.uplift.protocol.Event;
import dev.uplift.protocol.Heartbeat;
import dev.uplift.protocol.Purpose;
import dev.uplift.protocol.Result;
import dev.uplift.protocol.Subjects;
import dev.uplift.protocol.TrustedKeys;
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

/// A host that does and says what a test tells it to. Looks into its slot whenever the bell rings,
/// and while a command is awaited, as an agent does: what rings may not lie in the slot yet.
public final class HostByHand {
  private static final Duration ANSWER = Duration.ofSeconds(20);
  private static final Duration PATIENCE = Duration.ofSeconds(75);

  private final String subject;
  private final Connection nats;
  private final TrustedKeys keys;
  private final HostId id;
  private final BlockingQueue<String> found = new LinkedBlockingQueue<>();
  private final List<Command> all = new CopyOnWriteArrayList<>();
  private String instance = newInstance();
  private String boot = "boot-1";
  private String staged = "";
  private volatile boolean off;
  private long newest;

  /// Begins to listen.
  ///
  /// @param nats connected as a device of the tenant
  public HostByHand(Connection nats, String tenant, String name, TrustedKeys keys)
      throws Exception {
    this.nats = nats;
    this.keys = keys;
    this.id = new HostId(name + "-" + UUID.randomUUID().toString().substring(0, 8));
    this.subject = Subjects.host(tenant, id.value());
    nats.createDispatcher(_ -> ring()).subscribe(Subjects.command(subject));
    nats.flush(ANSWER);
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

  private void ring() {
    if (!off) {
      look(false);
    }
  }

  /// Hears nothing from now on.
  public void goesOff() {
    off = true;
  }

  /// Hears again, and looks what there is.
  public void comesBack() {
    off = false;
    look(false);
  }

  /// What a ring of the bell brings to light: the same command again when it is sent again.
  private synchronized void look(boolean onlyNew) {
    try {
      Message slot = nats.request(Subjects.directGetCommand(subject), null, ANSWER);
      if (slot != null && !slot.isStatusMessage() && (isNew(slot) || !onlyNew)) {
        String signature = requireNonNull(slot.getHeaders().getFirst(Command.SIGNATURE_HEADER));
        if (!keys.trust(Purpose.COMMAND, slot.getData(), signature)) {
          throw new IllegalStateException("not signed: " + new String(slot.getData(), UTF_8));
        }
        all.add(Command.read(slot.getData()));
        found.add(new String(slot.getData(), UTF_8));
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  private boolean isNew(Message slot) {
    long sequence = Long.parseLong(requireNonNull(slot.getHeaders().getFirst("Nats-Sequence")));
    long before = newest;
    newest = Math.max(newest, sequence);
    return sequence > before;
  }

  /// As an agent that has just connected: finds again what it has found before.
  public void lookNow() {
    look(false);
  }

  /// The next command of this kind.
  public Command next(Action action) throws InterruptedException {
    while (true) {
      Command command = read(bytes());
      if (command.action() == action) {
        return command;
      }
    }
  }

  /// The next command that is not a re-send of what came up to `last`.
  public Command nextAfter(Command last) throws InterruptedException {
    while (true) {
      Command command = read(bytes());
      if (command.epoch() > last.epoch()) {
        return command;
      }
    }
  }

  /// What lies in the slot next, as it is.
  public String bytes() throws InterruptedException {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (System.nanoTime() < end) {
      String body = found.poll(1, TimeUnit.SECONDS);
      if (body != null) {
        return body;
      }
      if (!off) {
        look(true);
      }
    }
    throw new AssertionError("no command came");
  }

  public static Command read(String body) {
    return Command.read(body.getBytes(UTF_8));
  }

  /// All commands that were found, re-sends too.
  public List<Command> all() {
    return List.copyOf(all);
  }

  /// From now on another agent speaks, in this boot.
  public HostByHand restarts() {
    instance = newInstance();
    return this;
  }

  public HostByHand boots(String bootId) {
    boot = bootId;
    return restarts();
  }

  public HostByHand stages(String version) {
    staged = version;
    return this;
  }

  public String instance() {
    return instance;
  }

  public void beat(String version) throws Exception {
    beat(version, false);
  }

  public void beat(String version, boolean trial) throws Exception {
    beat(instance, boot, version, trial);
  }

  public void beat(String from, String bootId, String version, boolean trial) throws Exception {
    beat(
        from,
        new Heartbeat(Heartbeat.State.RUNNING, bootId, versions(version), trial, Instant.now()));
  }

  public void beatIn(Heartbeat.State state, String version) throws Exception {
    beat(instance, new Heartbeat(state, boot, versions(version), false, Instant.now()));
  }

  /// One of two agents on the host says how it is.
  public void beatOf(String agent, Heartbeat.State state, String version, boolean trial)
      throws Exception {
    beat(agent, new Heartbeat(state, boot, versions(version), trial, Instant.now()));
  }

  /// From now on this agent speaks.
  public void becomes(String agent) {
    instance = agent;
  }

  /// Says of itself that it is an agent of this version, whose own upgrade came to nothing.
  public void says(String agentVersion, String upgradeError) throws Exception {
    var info =
        new AgentInfo(
            AgentInfo.PROTOCOL,
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
            0);
    nats.request(Subjects.info(subject), info.write(), ANSWER);
  }

  private void beat(String from, Heartbeat beat) throws Exception {
    nats.publish(Subjects.heartbeat(subject, from), beat.write());
    nats.flush(ANSWER);
  }

  private static SortedMap<String, String> versions(String version) {
    return new TreeMap<>(Map.of(World.PACKAGE, version));
  }

  public void answer(Command command, String version, Result result) throws Exception {
    say(outcome(command.id(), command.epoch(), version, result));
  }

  public Event outcome(String command, long epoch, String version, Result result) {
    return event(command, epoch, version, new Event.Outcome(result, ""));
  }

  public void accepts(Command command, String version) throws Exception {
    say(event(command.id(), command.epoch(), version, new Event.Accepted()));
  }

  public Event event(String command, long epoch, String version, Event.Said said) {
    return new Event(command, epoch, instance, boot, version, staged, false, Instant.now(), said);
  }

  public void say(Event event) throws Exception {
    say(subject, event.write());
  }

  /// Returns once the stream has it.
  public void say(String host, byte[] event) throws Exception {
    // A message id of its own, so that what is said twice arrives twice.
    Headers headers = new Headers().put(Event.ID_HEADER, UUID.randomUUID().toString());
    Message ack = nats.request(Subjects.events(host), headers, event, ANSWER);
    if (ack == null || !new String(ack.getData(), UTF_8).contains("\"seq\"")) {
      throw new IOException("not taken: " + ack);
    }
  }

  public void leave() throws Exception {
    nats.close();
  }
}
