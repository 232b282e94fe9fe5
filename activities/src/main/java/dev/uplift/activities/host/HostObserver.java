package dev.uplift.activities.host;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Comparator.comparing;

import dev.uplift.fleet.HostId;
import dev.uplift.fleet.HostState;
import dev.uplift.fleet.Release;
import dev.uplift.fleet.Step;
import dev.uplift.protocol.Command;
import dev.uplift.protocol.Event;
import dev.uplift.protocol.Subjects;
import dev.uplift.protocol.json.MalformedMessage;
import dev.uplift.services.messaging.ConnectionStatus;
import dev.uplift.services.messaging.EventBacklog;
import dev.uplift.services.messaging.NatsConnection;
import dev.uplift.services.presence.HostHeartbeats;
import dev.uplift.services.presence.InstanceHeartbeats;
import dev.uplift.services.presence.Presence;
import dev.uplift.services.presence.PresenceStatus;
import dev.uplift.services.presence.ReceivedHeartbeat;
import dev.uplift.store.command.CommandRepository;
import dev.uplift.store.command.CommandRow;
import dev.uplift.store.command.HeartbeatWait;
import dev.uplift.store.command.OutcomeRecorded;
import dev.uplift.store.command.TimelineEntry;
import dev.uplift.store.command.WaitingActivity;
import dev.uplift.workflows.device.HostObservation;
import dev.uplift.workflows.device.StepRequest;
import dev.uplift.workflows.device.StepResult;
import dev.uplift.workflows.device.StepResult.Done;
import jakarta.inject.Singleton;
import java.time.Instant;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/// Observes a step and its host without sending a command.
@Singleton
final class HostObserver {
  /// Nothing can be concluded, because the server's own connection is or was just down.
  static final class ObservationUnavailable extends RuntimeException {
    private static final long serialVersionUID = 1;

    ObservationUnavailable(String message) {
      super(message);
    }
  }

  /// The steps after which the release runs. A stop is answered by the agent that ends.
  private static final Set<Step> INSTALLING = EnumSet.of(Step.UPGRADE, Step.REBOOT, Step.ROLLBACK);

  private final CommandIssuer issuer;
  private final CommandRepository commands;
  private final EventBacklog eventBacklog;
  private final Presence presence;
  private final NatsConnection nats;

  HostObserver(
      CommandIssuer issuer,
      CommandRepository commands,
      EventBacklog eventBacklog,
      Presence presence,
      NatsConnection nats) {
    this.issuer = issuer;
    this.commands = commands;
    this.eventBacklog = eventBacklog;
    this.presence = presence;
    this.nats = nats;
  }

  /// Returns what is known now.
  ///
  /// @throws ObservationUnavailable if the silence may be caused by the server's own connection
  HostObservation observe(StepRequest stepRequest) {
    Optional<StepResult> lateResult = knownResult(stepRequest);
    ConnectionStatus status = nats.status();
    String tenant = stepRequest.device().tenant();
    return switch (presence.status(tenant, stepRequest.host())) {
      case PresenceStatus.Alive(ReceivedHeartbeat newest) ->
          new HostObservation(lateResult, observedState(stepRequest), false, newest.receivedAt(), status.since());
      case PresenceStatus.Silent(Instant since) ->
          new HostObservation(lateResult, Optional.empty(), true, since, status.since());
      case PresenceStatus.Unknown(Instant since, String reason) -> {
        if (lateResult.isEmpty()) {
          throw new ObservationUnavailable(reason);
        }
        yield new HostObservation(lateResult, Optional.empty(), false, since, since);
      }
    };
  }

  /// Returns whether the host sends heartbeats, as far as this server knows.
  ///
  /// @param mayRetry whether an observation that is impossible now may be repeated; otherwise it counts as not heard
  /// @throws ObservationUnavailable if it is impossible now and may be repeated
  boolean isHeard(StepRequest stepRequest, boolean mayRetry) {
    return switch (presence.status(stepRequest.device().tenant(), stepRequest.host())) {
      case PresenceStatus.Alive _ -> true;
      case PresenceStatus.Silent _ -> false;
      case PresenceStatus.Unknown(_, String reason) -> {
        if (mayRetry) {
          throw new ObservationUnavailable(reason);
        }
        yield false;
      }
    };
  }

  /// Returns the answer of the host, even if the event consumer has not processed it yet.
  private Optional<StepResult> knownResult(StepRequest stepRequest) {
    Optional<CommandRow> row = issuer.find(stepRequest);
    return row.flatMap(StepResultMapper::fromCommand)
        .or(() -> row.flatMap(found -> unprocessedResult(stepRequest, found)));
  }

  private Optional<StepResult> unprocessedResult(StepRequest stepRequest, CommandRow row) {
    String tenant = stepRequest.device().tenant();
    String host = Subjects.hostAddress(tenant, stepRequest.host().value());
    return eventBacklog.read(host).stream()
        .filter(event -> isOutcome(event, row.id()))
        .map(Event::read)
        .findFirst()
        .flatMap(event -> recordOutcome(tenant, stepRequest.host(), event))
        .map(OutcomeRecorded::row)
        .flatMap(StepResultMapper::fromCommand);
  }

  private Optional<OutcomeRecorded> recordOutcome(String tenant, HostId host, Event event) {
    String outcome = new String(event.withoutLog().write(), UTF_8);
    return commands.recordOutcome(tenant, host, event.commandId(), outcome, event.log());
  }

  private static boolean isOutcome(byte[] bytes, String command) {
    try {
      Event event = Event.read(bytes);
      return event.commandId().equals(command) && event.content() instanceof Event.Outcome;
    } catch (MalformedMessage _) {
      // EventConsumer rejects it, and counts it.
      return false;
    }
  }

  private Optional<HostState> observedState(StepRequest stepRequest) {
    String tenant = stepRequest.device().tenant();
    HostHeartbeats beats = presence.heartbeats(tenant, stepRequest.host());
    // No activity waits: the heartbeats are checked as if one did.
    HeartbeatWait heartbeatWait = heartbeatWait(stepRequest, new WaitingActivity("", ""));
    return beats.all().stream()
        .map(InstanceHeartbeats::newest)
        .filter(beat -> beat.receivedAt().isAfter(presence.silenceCutoff()))
        .filter(beat -> HeartbeatExpectation.isRelevant(heartbeatWait, beats, beat))
        .max(comparing(ReceivedHeartbeat::receivedAt))
        .map(beat -> StepResultMapper.fromHeartbeat(beat.heartbeat(), stepRequest.release().packageName()));
  }

  /// Returns the result, with the word that a heartbeat of the agent has shown the same, if one has: the wait for it
  /// would end at once. Agents publish it with the outcome, and it is often here first.
  StepResult withHeartbeat(CommandRow row, StepResult result) {
    return result instanceof Done(HostState state, _) && hasShown(row, state) ? new Done(state, true) : result;
  }

  private boolean hasShown(CommandRow row, HostState state) {
    return INSTALLING.contains(row.step())
        && row.outcome()
            .map(outcome -> Event.read(outcome.getBytes(UTF_8)).instance())
            .flatMap(presence.heartbeats(row.tenant(), row.host())::of)
            .map(InstanceHeartbeats::newest)
            .filter(beat -> beat.isFromRunningAgent() && beat.receivedAt().isAfter(presence.silenceCutoff()))
            .map(beat -> StepResultMapper.fromHeartbeat(beat.heartbeat(), packageName(row)))
            .filter(shown -> shown.equals(new HostState(state.version(), "", state.bootId(), state.onTrial())))
            .isPresent();
  }

  private static String packageName(CommandRow row) {
    return Command.read(row.body().orElseThrow().getBytes(UTF_8)).packageName();
  }

  /// Returns what a heartbeat has to show for the step.
  HeartbeatWait heartbeatWait(StepRequest stepRequest, WaitingActivity waitingActivity) {
    return new HeartbeatWait(
        stepRequest.device().tenant(),
        stepRequest.host(),
        stepRequest.step(),
        new Release(stepRequest.release().packageName(), stepRequest.targetVersion()),
        stepRequest.bootBefore(),
        lastRespondingInstance(stepRequest),
        stepRequest.outgoingInstance().orElse(""),
        waitingActivity);
  }

  /// Returns the agent that has answered last. Empty if another one has to be active by now, because the host has
  /// booted since or that agent has handed over; or if any agent may be heard.
  private String lastRespondingInstance(StepRequest stepRequest) {
    if (stepRequest.step() == Step.AWAIT_HOST || stepRequest.outgoingInstance().isPresent()) {
      return "";
    }
    return commands.timeline(stepRequest.device().tenant(), stepRequest.upgrade()).stream()
        .map(TimelineEntry::row)
        .filter(row -> row.host().equals(stepRequest.host()) && row.outcome().isPresent())
        .max(comparing(row -> row.closedAt().orElse(Instant.MIN)))
        .flatMap(CommandRow::outcome)
        .map(outcome -> Event.read(outcome.getBytes(UTF_8)))
        .filter(event -> !event.bootId().equals(stepRequest.bootBefore()))
        .map(Event::instance)
        .orElse("");
  }
}
