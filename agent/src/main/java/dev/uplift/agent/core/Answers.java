package dev.uplift.agent.core;

import static java.lang.System.Logger.Level.INFO;
import static java.lang.System.Logger.Level.WARNING;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.uplift.agent.ops.Op;
import dev.uplift.agent.ops.Ops;
import dev.uplift.protocol.Command;
import dev.uplift.protocol.ErrorClass;
import dev.uplift.protocol.Event;
import dev.uplift.protocol.Result;
import java.io.IOException;

/// Gives each command its one answer: written down first, then said.
final class Answers {
  private static final System.Logger LOG = System.getLogger(Answers.class.getName());

  private final Ops ops;
  private final Voice voice;
  private final Outbox outbox;
  private final Reporter reporter;

  Answers(Ops ops, Voice voice, Outbox outbox, Reporter reporter) {
    this.ops = ops;
    this.voice = voice;
    this.outbox = outbox;
    this.reporter = reporter;
  }

  /// What is on the host now, whatever else is in work.
  void inspect(Command command) throws InterruptedException {
    Result result =
        voice.knows(command.packageName())
            ? new Result.Done()
            : new Result.Failed(
                "unknown-package",
                ErrorClass.FINAL,
                "this host has no package " + command.packageName());
    answer(command, result, "");
  }

  /// A stored answer, word for word.
  void repeat(Op op) {
    outbox.repeat(op);
  }

  void answer(Command command, Result result, String log) throws InterruptedException {
    answer(command.id(), command, command.epoch(), new Event.Outcome(result, log));
  }

  /// Nothing happens if there is an answer to that id already.
  ///
  /// @param id of the command that is answered, which need not be the one at hand
  void answer(String id, Command about, long epoch, Event.Outcome outcome)
      throws InterruptedException {
    if (ops.find(id).filter(Op::isAnswered).isPresent()) {
      return;
    }
    // What is measured from here on is what the answer says, in heartbeats too.
    reporter.changed();
    Event event = voice.outcome(id, about, epoch, outcome);
    try {
      ops.see(about.epoch());
      ops.answer(id, new String(event.write(), UTF_8));
    } catch (IOException e) {
      LOG.log(WARNING, "the answer to {0} cannot be kept: {1}", id, e.toString());
    }
    LOG.log(
        INFO, "{0} {1} {2}: {3}", about.action().word(), about.packageName(), id, outcome.result());
    outbox.say(event);
    reporter.answered(event);
  }
}
