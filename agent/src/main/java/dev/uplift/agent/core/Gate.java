package dev.uplift.agent.core;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.uplift.agent.ops.Op;
import dev.uplift.agent.ops.Ops;
import dev.uplift.protocol.Action;
import dev.uplift.protocol.Command;
import dev.uplift.protocol.ErrorClass;
import dev.uplift.protocol.MalformedMessage;
import dev.uplift.protocol.Purpose;
import dev.uplift.protocol.Result;
import dev.uplift.protocol.Root;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Predicate;

/// Every check of a command that needs no look at the host, in the one order that counts:
/// signature, addressee, known id, instance, time, root, epoch. Decides, and changes nothing.
final class Gate {
  private final HostSetup setup;
  private final Trust trust;
  private final ServerClock clock;
  private final Ops ops;
  private final Predicate<String> isInWork;

  Gate(HostSetup setup, Trust trust, ServerClock clock, Ops ops, Predicate<String> isInWork) {
    this.setup = setup;
    this.trust = trust;
    this.clock = clock;
    this.ops = ops;
    this.isInWork = isInWork;
  }

  Verdict judge(Letter letter) {
    if (letter.size() > Command.MAX_BYTES) {
      return new Verdict.Refused("too long: " + letter.size() + " bytes");
    }
    if (letter.signature().isEmpty()) {
      return new Verdict.Refused("not signed");
    }
    var keys = trust.root().trusted(Root.Role.COMMAND);
    if (!keys.trust(Purpose.COMMAND, letter.body(), letter.signature())) {
      return new Verdict.Refused("not signed by a key that is trusted here");
    }
    try {
      return judge(Command.read(letter.body()), new String(letter.body(), UTF_8));
    } catch (MalformedMessage e) {
      return new Verdict.Refused("no command: " + withoutContent(e));
    }
  }

  private static String withoutContent(MalformedMessage e) {
    String text = String.valueOf(e.getMessage());
    int found = text.indexOf(", found");
    return found < 0 ? text : text.substring(0, found);
  }

  private Verdict judge(Command command, String text) {
    if (!command.tenant().equals(setup.tenant()) || !command.host().equals(setup.host())) {
      return new Verdict.Refused("for another host");
    }
    Optional<Op> known = ops.find(command.id());
    if (known.isPresent() && known.get().isAnswered()) {
      return new Verdict.Answered(known.get());
    }
    if (isInWork.test(command.id())) {
      return new Verdict.InWork();
    }
    if (!command.instance().isEmpty() && !command.instance().equals(setup.instance())) {
      return new Verdict.Elsewhere();
    }
    if (command.action() == Action.CANCEL) {
      // Takes back one command and nothing else, so it is never too late for it.
      return new Verdict.Due(command, text);
    }
    Optional<Result> tooLate = known.isPresent() ? Optional.empty() : whyNotNow(command);
    if (tooLate.isPresent()) {
      return settled(command, tooLate.get());
    }
    return command.epoch() < ops.highestEpoch()
        ? settled(command, failed("stale", ErrorClass.FINAL, "a newer command was here before"))
        : new Verdict.Due(command, text);
  }

  /// `not_after` bounds the start: what has begun goes on.
  private Optional<Result> whyNotNow(Command command) {
    Optional<Instant> now = clock.sure();
    if (now.isPresent() && now.get().isAfter(command.notAfter())) {
      return Optional.of(
          failed("expired", ErrorClass.FINAL, "not to be begun after " + command.notAfter()));
    }
    if (now.isEmpty() && command.action() != Action.INSPECT) {
      return Optional.of(
          failed(
              "clock-unknown",
              ErrorClass.RETRYABLE,
              "the server's time could not be learnt, so nobody knows whether it is too late"));
    }
    return brings(command) && trust.root().isExpired(clock.atLeast())
        ? Optional.of(
            failed(
                "root-expired",
                ErrorClass.NEEDS_PERSON,
                "root %d has expired at %s: nothing new is begun before there is a newer one"
                    .formatted(trust.root().version(), trust.root().expiresAt())))
        : Optional.empty();
  }

  /// What is not ended, or taken back, but new.
  private static boolean brings(Command command) {
    return command.action() == Action.PREPARE || command.action() == Action.UPGRADE;
  }

  private Verdict settled(Command command, Result result) {
    return new Verdict.Settled(command, Math.max(command.epoch(), ops.highestEpoch()), result);
  }

  private static Result failed(String code, ErrorClass errorClass, String text) {
    return new Result.Failed(code, errorClass, text);
  }
}
