package dev.uplift.activities.barrier;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.uplift.activities.temporal.ParallelRunner;
import dev.uplift.fleet.HostId;
import dev.uplift.fleet.Step;
import dev.uplift.fleet.barrier.BarrierHostState;
import dev.uplift.fleet.barrier.BarrierId;
import dev.uplift.protocol.AgentInfo;
import dev.uplift.protocol.CommandResult;
import dev.uplift.protocol.Event;
import dev.uplift.protocol.Event.Outcome;
import dev.uplift.protocol.WireErrorClass;
import dev.uplift.protocol.json.MalformedMessage;
import dev.uplift.services.barrier.BarrierRepositories;
import dev.uplift.store.barrier.AnsweredHost;
import dev.uplift.store.barrier.BarrierHostRow;
import dev.uplift.store.barrier.BarrierRow;
import dev.uplift.store.device.HostInfo;
import dev.uplift.store.device.HostRow;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Passes over the hosts of a barrier: takes what they have answered, and sends what they have to be told. What it
/// remembers only saves repetitions. For one activity execution.
final class HostPass {
  /// Interval for publishing an unanswered command again: its stream may have been lost.
  private static final Duration RESEND_INTERVAL = Duration.ofSeconds(30);

  /// Between two commands to a host that has failed.
  private static final Duration RETRY_INTERVAL = Duration.ofSeconds(30);

  private static final Set<String> WITHOUT_EFFECT = Set.of("stale-epoch", "clock-unknown", "handover-in-progress");

  private final BarrierRepositories tables;
  private final BarrierCommandIssuer commands;
  private final BarrierId id;
  private final Map<HostId, Instant> nextSend = new HashMap<>();

  HostPass(BarrierRepositories tables, BarrierCommandIssuer commands, BarrierId id) {
    this.tables = tables;
    this.commands = commands;
    this.id = id;
  }

  /// Halts hosts. Once the deadline is past, none is pending.
  void halt(BarrierRow row, Instant now, Runnable heartbeat) {
    takeHaltAnswers(now);
    List<BarrierHostRow> pending = tables.hosts().listInState(id, BarrierHostState.PENDING);
    Set<String> inWork = inWork();
    if (!now.isBefore(row.deadlineAt())) {
      pending.forEach(host -> tables.hosts().recordMissing(id, host.host(), whyPending(host, inWork)));
      return;
    }
    List<BarrierHostRow> due = pending.stream().filter(host -> isDue(host, inWork, now)).toList();
    ParallelRunner.run(due, host -> haltHost(row, host, now), heartbeat);
  }

  private Set<String> inWork() {
    return Set.copyOf(tables.barriers().listHostsInWork(id.tenant(), id.name()));
  }

  private static String whyPending(BarrierHostRow host, Set<String> inWork) {
    if (inWork.contains(host.host().value())) {
      return "its device was being upgraded";
    }
    return host.detail().isEmpty() ? "it has not answered" : host.detail();
  }

  private boolean isDue(BarrierHostRow host, Set<String> inWork, Instant now) {
    return !inWork.contains(host.host().value()) && !now.isBefore(next(host.host()));
  }

  private synchronized Instant next(HostId host) {
    return nextSend.getOrDefault(host, Instant.MIN);
  }

  private synchronized void sendNext(HostId host, Instant at) {
    nextSend.put(host, at);
  }

  /// An agent that knows no halt would not answer. One that was never heard may know it.
  private void haltHost(BarrierRow row, BarrierHostRow host, Instant now) {
    if (knowsHalt(host.host())) {
      sendHalt(row, host, now);
    } else {
      tables.hosts().recordMissing(id, host.host(), "its agent does not understand halt");
    }
  }

  private boolean knowsHalt(HostId host) {
    return tables
        .rollouts()
        .common()
        .hosts()
        .find(id.tenant(), host)
        .flatMap(HostRow::info)
        .map(HostPass::knowsHalt)
        .orElse(true);
  }

  private static boolean knowsHalt(HostInfo info) {
    try {
      return AgentInfo.read(info.text().getBytes(UTF_8)).halts().isPresent();
    } catch (MalformedMessage _) {
      // Accepted by another version of the server, which could read it.
      return true;
    }
  }

  private void sendHalt(BarrierRow row, BarrierHostRow host, Instant now) {
    int generation = host.haltGeneration();
    if (generation == 0) {
      tables.hosts().nextHalt(id, host.host(), "");
      generation = 1;
    }
    sendNext(host.host(), now.plus(RESEND_INTERVAL));
    if (!commands.send(row, host.host(), Step.HALT, generation)) {
      tables.hosts().nextHalt(id, host.host(), "another command came between");
      sendNext(host.host(), now.plusSeconds(1));
    }
  }

  private void takeHaltAnswers(Instant now) {
    for (AnsweredHost answer : tables.hosts().listHaltAnswers(id.tenant(), id.name(), id.commandOwner())) {
      var host = new HostId(answer.host());
      switch (result(answer)) {
        case CommandResult.Failed failed when mayBeRetried(failed) -> {
          tables.hosts().nextHalt(id, host, describe(failed));
          sendNext(host, retryAt(failed, now));
        }
        case CommandResult.Failed failed -> tables.hosts().recordMissing(id, host, describe(failed));
        case CommandResult.Cancelled() -> tables.hosts().recordMissing(id, host, "cancelled");
        case CommandResult.Done() -> tables.hosts().recordHalted(id, host);
        case CommandResult.RebootRequired(), CommandResult.HandoverRequired() ->
            tables.hosts().recordMissing(id, host, "it has not said that it is halted");
      }
    }
  }

  private static boolean mayBeRetried(CommandResult.Failed failed) {
    return failed.errorClass() == WireErrorClass.RETRYABLE || WITHOUT_EFFECT.contains(failed.code());
  }

  private static Instant retryAt(CommandResult.Failed failed, Instant now) {
    return WITHOUT_EFFECT.contains(failed.code()) ? now.plusSeconds(1) : now.plus(RETRY_INTERVAL);
  }

  private static String describe(CommandResult.Failed failed) {
    return failed.text().isEmpty() ? failed.code() : failed.code() + ": " + failed.text();
  }

  private static CommandResult result(AnsweredHost answer) {
    try {
      Event event = Event.read(answer.outcome().getBytes(UTF_8));
      return event.content() instanceof Outcome(CommandResult result, _) ? result : new CommandResult.Cancelled();
    } catch (MalformedMessage e) {
      // Accepted by another version of the server, which could read it.
      return new CommandResult.Failed("unknown-result", WireErrorClass.FINAL, e.toString());
    }
  }

  /// Has hosts resume: those that have halted, and those that may yet halt because they were told to.
  void resume(BarrierRow row, Instant now, Runnable heartbeat) {
    takeHaltAnswers(now);
    tables
        .hosts()
        .listInState(id, BarrierHostState.PENDING)
        .forEach(host -> tables.hosts().recordMissing(id, host.host(), "it had not answered"));
    takeResumeAnswers(now);
    List<BarrierHostRow> all = tables.hosts().listAll(id.tenant(), id.name());
    List<BarrierHostRow> halted = all.stream().filter(host -> host.state() == BarrierHostState.HALTED).toList();
    if (!now.isBefore(row.untilAt())) {
      halted.forEach(host -> tables.hosts().recordResumed(id, host.host(), "by itself at " + row.untilAt()));
      return;
    }
    Set<String> inWork = inWork();
    List<BarrierHostRow> due =
        all.stream().filter(HostPass::hasToBeTold).filter(host -> isDue(host, inWork, now)).toList();
    ParallelRunner.run(due, host -> sendResume(row, host, now), heartbeat);
  }

  private static boolean hasToBeTold(BarrierHostRow host) {
    return host.haltGeneration() > 0 && host.state() != BarrierHostState.RESUMED;
  }

  private void sendResume(BarrierRow row, BarrierHostRow host, Instant now) {
    int generation = host.resumeGeneration();
    if (generation == 0) {
      tables.hosts().nextResume(id, host.host(), host.detail());
      generation = 1;
    }
    sendNext(host.host(), now.plus(RESEND_INTERVAL));
    if (!commands.send(row, host.host(), Step.RESUME, generation)) {
      tables.hosts().nextResume(id, host.host(), host.detail());
      sendNext(host.host(), now.plusSeconds(1));
    }
  }

  /// A host that fails to resume is told again until it would have resumed by itself.
  private void takeResumeAnswers(Instant now) {
    for (AnsweredHost answer : tables.hosts().listResumeAnswers(id.tenant(), id.name(), id.commandOwner())) {
      var host = new HostId(answer.host());
      Optional<CommandResult.Failed> failed =
          result(answer) instanceof CommandResult.Failed found ? Optional.of(found) : Optional.empty();
      if (failed.isEmpty()) {
        tables.hosts().recordResumed(id, host, "");
      } else {
        tables.hosts().nextResume(id, host, describe(failed.get()));
        sendNext(host, retryAt(failed.get(), now));
      }
    }
  }
}
