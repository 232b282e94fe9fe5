package dev.uplift.activities.host;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.uplift.fleet.ErrorClass;
import dev.uplift.fleet.HostState;
import dev.uplift.protocol.CommandResult.Cancelled;
import dev.uplift.protocol.CommandResult.Done;
import dev.uplift.protocol.CommandResult.Failed;
import dev.uplift.protocol.CommandResult.HandoverRequired;
import dev.uplift.protocol.CommandResult.RebootRequired;
import dev.uplift.protocol.Event;
import dev.uplift.protocol.Event.Outcome;
import dev.uplift.protocol.Heartbeat;
import dev.uplift.protocol.json.MalformedMessage;
import dev.uplift.store.command.CommandRow;
import dev.uplift.workflows.device.StepResult;
import java.util.Optional;

/// Maps the outcomes and heartbeats of hosts to results of steps.
final class StepResultMapper {
  private StepResultMapper() {}

  /// Returns the result of a command; empty as long as its host has not answered.
  static Optional<StepResult> fromCommand(CommandRow row) {
    return row.isWithdrawn()
        ? Optional.of(new StepResult.NotSent("cancelled before it was sent"))
        : row.outcome().map(StepResultMapper::fromOutcome);
  }

  /// @param outcome the event, as it was sent
  static StepResult fromOutcome(String outcome) {
    Event event = Event.read(outcome.getBytes(UTF_8));
    if (!(event.content() instanceof Outcome(var commandResult, _))) {
      throw new MalformedMessage("type: expected outcome");
    }
    return switch (commandResult) {
      case Done() -> new StepResult.Done(hostState(event));
      case RebootRequired() -> new StepResult.RebootRequired(event.bootId());
      case HandoverRequired() -> new StepResult.HandoverRequired(event.instance());
      case Cancelled() -> new StepResult.Cancelled();
      case Failed(String code, var wireErrorClass, String text) ->
          new StepResult.Failed(code, ErrorClass.valueOf(wireErrorClass.name()), text);
    };
  }

  private static HostState hostState(Event event) {
    return new HostState(event.version(), event.staged(), event.bootId(), event.onTrial());
  }

  /// Returns what a heartbeat shows of a package.
  static HostState fromHeartbeat(Heartbeat heartbeat, String packageName) {
    return new HostState(heartbeat.version(packageName), "", heartbeat.bootId(), heartbeat.onTrial());
  }
}
