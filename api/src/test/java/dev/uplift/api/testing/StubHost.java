package dev.uplift.api.testing;

import dev.uplift.protocol.Command;
import dev.uplift.protocol.CommandAction;
import dev.uplift.protocol.CommandResult;
import dev.uplift.protocol.Event;
import dev.uplift.protocol.Heartbeat;
import dev.uplift.protocol.Order;
import dev.uplift.protocol.Subjects;
import dev.uplift.protocol.WireErrorClass;
import io.nats.client.Connection;
import io.nats.client.Message;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/// A host on a device of the same name that sends heartbeats and executes commands at once, unless a test has changed
/// its behaviour.
public final class StubHost implements AutoCloseable {
  private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(30);
  private static final String BOOT = "boot-1";
  private static final String INSTANCE = "instance-1";

  private final Connection nats;
  private final String name;
  private final String subject;
  private final Map<CommandAction, CommandResult> failures = new ConcurrentHashMap<>();
  private final Map<CommandAction, String> logs = new ConcurrentHashMap<>();
  private final Map<CommandAction, Duration> timeouts = new ConcurrentHashMap<>();
  private final Set<CommandAction> ignored = ConcurrentHashMap.newKeySet();
  private final Map<String, Event> answers = new ConcurrentHashMap<>();
  private final List<CommandAction> overriddenHolds = new CopyOnWriteArrayList<>();
  private final ScheduledExecutorService scheduler = Executors.newSingleThreadScheduledExecutor();
  private volatile String version = "1.0";

  private StubHost(Connection nats, String name) {
    this.nats = nats;
    this.name = name;
    this.subject = Subjects.hostAddress(LiveServer.TENANT, name);
  }

  /// Starts to receive commands and to send heartbeats.
  static StubHost connect(Connection nats, String name) {
    StubHost host = new StubHost(nats, name);
    nats.createDispatcher(_ -> host.scheduleReads()).subscribe(Subjects.command(host.subject));
    Future<?> _ = host.scheduler.scheduleWithFixedDelay(host::publishHeartbeat, 0, 200, TimeUnit.MILLISECONDS);
    return host;
  }

  /// Returns the name of the host and of its device.
  public String name() {
    return name;
  }

  /// Fails such commands from now on.
  public StubHost failOn(CommandAction commandAction, WireErrorClass error, String code) {
    failures.put(commandAction, new CommandResult.Failed(code, error, code + " on purpose"));
    return this;
  }

  /// Sends this log with the answers to such commands from now on.
  public StubHost log(CommandAction commandAction, String log) {
    logs.put(commandAction, log);
    return this;
  }

  /// Returns how long the newest such command says that the server waits.
  public Duration timeout(CommandAction commandAction) {
    return timeouts.getOrDefault(commandAction, Duration.ZERO);
  }

  /// Returns the commands that were carried out although its owner may hold the package, in their order.
  public List<CommandAction> overriddenHolds() {
    return List.copyOf(overriddenHolds);
  }

  /// Ignores such commands from now on.
  public StubHost ignore(CommandAction commandAction) {
    ignored.add(commandAction);
    return this;
  }

  /// Answers such commands again, including earlier ones.
  public void stopIgnoring(CommandAction commandAction) {
    ignored.remove(commandAction);
    readCommand();
  }

  /// Executes commands again, including earlier ones.
  public void resetBehavior() {
    failures.clear();
    ignored.clear();
    readCommand();
  }

  private void publishHeartbeat() {
    Heartbeat heartbeat =
        new Heartbeat(
            Heartbeat.State.RUNNING, BOOT, new TreeMap<>(Map.of(LiveServer.PACKAGE, version)), false, Instant.now());
    nats.publish(Subjects.heartbeat(subject, INSTANCE), heartbeat.write());
  }

  /// Reads again, like an agent, because a notification may arrive before its command.
  private void scheduleReads() {
    readCommand();
    Future<?> _ = scheduler.schedule(this::readCommand, 200, TimeUnit.MILLISECONDS);
    Future<?> _ = scheduler.schedule(this::readCommand, 2, TimeUnit.SECONDS);
  }

  private void readCommand() {
    try {
      Message latest = nats.request(Subjects.directGetCommand(subject), null, REQUEST_TIMEOUT);
      if (latest != null && !latest.isStatusMessage()) {
        handle(Command.read(latest.getData()));
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  private void handle(Command command) {
    if (!ignored.contains(command.action())) {
      nats.publish(Subjects.events(subject), answer(command).write());
    }
  }

  /// A cancel has no answer of its own: the cancelled command is answered.
  private Event answer(Command command) {
    return command.order() instanceof Order.Cancel cancel
        ? answers.computeIfAbsent(cancel.commandId(), id -> event(id, command, version, new CommandResult.Cancelled()))
        : answers.computeIfAbsent(command.id(), id -> carryOut(id, command));
  }

  private Event carryOut(String id, Command command) {
    timeouts.put(command.action(), command.timeout());
    if (command.order() instanceof Order.InstallOrder install && install.overrideHold()) {
      overriddenHolds.add(command.action());
    }
    CommandResult commandResult = failures.getOrDefault(command.action(), new CommandResult.Done());
    boolean changes = command.action() == CommandAction.UPGRADE || command.action() == CommandAction.ROLLBACK;
    if (changes && commandResult instanceof CommandResult.Done) {
      version = command.version();
    }
    return event(id, command, version, commandResult);
  }

  private Event event(String id, Command command, String version, CommandResult commandResult) {
    return new Event(
        id,
        command.epoch(),
        INSTANCE,
        BOOT,
        version,
        "",
        false,
        Instant.now(),
        new Event.Outcome(commandResult, logs.getOrDefault(command.action(), "log of " + command.action().wireName())));
  }

  @Override
  public void close() {
    try {
      nats.close();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    } finally {
      scheduler.shutdownNow();
    }
  }
}
