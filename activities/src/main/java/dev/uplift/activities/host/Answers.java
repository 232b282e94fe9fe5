package dev.uplift.activities.host;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.uplift.fleet.ErrorClass;
import dev.uplift.fleet.HostState;
import dev.uplift.protocol.Event;
import dev.uplift.protocol.Event.Outcome;
import dev.uplift.protocol.Heartbeat;
import dev.uplift.protocol.MalformedMessage;
import dev.uplift.protocol.Result.Cancelled;
import dev.uplift.protocol.Result.Done;
import dev.uplift.protocol.Result.Failed;
import dev.uplift.protocol.Result.HandoverRequired;
import dev.uplift.protocol.Result.RebootRequired;
import dev.uplift.store.CommandRow;
import dev.uplift.workflows.device.Answer;
import java.util.Optional;

/// What hosts say and show, in the words of the workflow.
final class Answers {
  private Answers() {}

  /// What is known of a command; empty as long as it waits for its host.
  static Optional<Answer> known(CommandRow row) {
    return row.isWithdrawn()
        ? Optional.of(new Answer.Cancelled())
        : row.outcome().map(Answers::said);
  }

  /// What an outcome means, of which the text is kept as it was sent.
  static Answer said(String outcome) {
    Event event = Event.read(outcome.getBytes(UTF_8));
    if (!(event.said() instanceof Outcome(var result, _))) {
      throw new MalformedMessage("type: expected outcome");
    }
    return switch (result) {
      case Done() -> new Answer.Done(state(event));
      case RebootRequired() -> new Answer.RebootRequired(event.bootId());
      case HandoverRequired() -> new Answer.HandoverRequired(event.instance());
      case Cancelled() -> new Answer.Cancelled();
      case Failed(String code, var errorClass, String text) ->
          new Answer.Failed(code, ErrorClass.valueOf(errorClass.name()), text);
    };
  }

  private static HostState state(Event event) {
    return new HostState(event.version(), event.staged(), event.bootId(), event.trial());
  }

  /// What a heartbeat shows of a package.
  static HostState shown(Heartbeat beat, String packageName) {
    return new HostState(beat.version(packageName), "", beat.bootId(), beat.trial());
  }
}
