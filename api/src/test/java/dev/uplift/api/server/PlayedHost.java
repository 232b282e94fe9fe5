package dev.uplift.api.server;

import dev.uplift.protocol.Action;
import dev.uplift.protocol.Command;
import dev.uplift.protocol.ErrorClass;
import dev.uplift.protocol.Event;
import dev.uplift.protocol.Heartbeat;
import dev.uplift.protocol.Result;
import dev.uplift.protocol.Subjects;
import io.nats.client.Connection;
import io.nats.client.Message;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/// A host of a device of its own name that does at once what it is told, unless it was asked to
/// misbehave, and beats.
public final class PlayedHost implements AutoCloseable {
  private static final Duration ANSWER = Duration.ofSeconds(30);
  private static final String BOOT = "boot-1";
  private static final String INSTANCE = "instance-1";

  private final Connection nats;
  private final String name;
  private final String subject;
  private final Map<Action, Result> misbehaviour = new ConcurrentHashMap<>();
  private final Set<Action> ignored = ConcurrentHashMap.newKeySet();
  private final Map<String, Event> said = new ConcurrentHashMap<>();
  private final ScheduledExecutorService beats = Executors.newSingleThreadScheduledExecutor();
  private volatile String version = "1.0";

  private PlayedHost(Connection nats, String name) {
    this.nats = nats;
    this.name = name;
    this.subject = Subjects.host(LiveServer.TENANT, name);
  }

  /// Hears and beats from now on.
  static PlayedHost on(Connection nats, String name) {
    PlayedHost host = new PlayedHost(nats, name);
    nats.createDispatcher(_ -> host.rings()).subscribe(Subjects.command(host.subject));
    Future<?> _ = host.beats.scheduleWithFixedDelay(host::beat, 0, 200, TimeUnit.MILLISECONDS);
    return host;
  }

  /// Its own, and its device's.
  public String name() {
    return name;
  }

  /// Answers this to such commands from now on.
  public PlayedHost fails(Action action, ErrorClass error, String code) {
    misbehaviour.put(action, new Result.Failed(code, error, code + " on purpose"));
    return this;
  }

  /// Says nothing to such commands from now on.
  public PlayedHost ignores(Action action) {
    ignored.add(action);
    return this;
  }

  /// Answers such commands again, also those that it was told before.
  public void heeds(Action action) {
    ignored.remove(action);
    look();
  }

  /// Does as it is told again, also what it was told before.
  public void behaves() {
    misbehaviour.clear();
    ignored.clear();
    look();
  }

  private void beat() {
    Heartbeat beat =
        new Heartbeat(
            Heartbeat.State.RUNNING,
            BOOT,
            new TreeMap<>(Map.of(LiveServer.PACKAGE, version)),
            false,
            Instant.now());
    nats.publish(Subjects.heartbeat(subject, INSTANCE), beat.write());
  }

  /// The bell may ring before the slot has what it rings for, so it looks again, as an agent does.
  private void rings() {
    look();
    Future<?> _ = beats.schedule(this::look, 200, TimeUnit.MILLISECONDS);
    Future<?> _ = beats.schedule(this::look, 2, TimeUnit.SECONDS);
  }

  private void look() {
    try {
      Message slot = nats.request(Subjects.directGetCommand(subject), null, ANSWER);
      if (slot != null && !slot.isStatusMessage()) {
        take(Command.read(slot.getData()));
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  private void take(Command command) {
    if (!ignored.contains(command.action())) {
      nats.publish(Subjects.events(subject), answer(command).write());
    }
  }

  /// A cancel has no answer of its own: the command that it names answers.
  private Event answer(Command command) {
    return command.action() == Action.CANCEL
        ? said.computeIfAbsent(
            command.cancels(), id -> event(id, command, version, new Result.Cancelled()))
        : said.computeIfAbsent(command.id(), id -> work(id, command));
  }

  private Event work(String id, Command command) {
    Result result = misbehaviour.getOrDefault(command.action(), new Result.Done());
    boolean changes = command.action() == Action.UPGRADE || command.action() == Action.ROLLBACK;
    if (changes && result instanceof Result.Done) {
      version = command.version();
    }
    return event(id, command, version, result);
  }

  private static Event event(String id, Command command, String version, Result result) {
    return new Event(
        id,
        command.epoch(),
        INSTANCE,
        BOOT,
        version,
        "",
        false,
        Instant.now(),
        new Event.Outcome(result, "log of " + command.action().word()));
  }

  @Override
  public void close() {
    try {
      nats.close();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    } finally {
      beats.shutdownNow();
    }
  }
}
