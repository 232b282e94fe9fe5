package dev.uplift.agent.command;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.uplift.agent.journal.CommandJournal;
import dev.uplift.agent.journal.CommandRecord;
import dev.uplift.agent.report.HostContext;
import dev.uplift.agent.report.ServerClock;
import dev.uplift.agent.trust.TrustStore;
import dev.uplift.protocol.Command;
import dev.uplift.protocol.CommandAction;
import dev.uplift.protocol.CommandResult;
import dev.uplift.protocol.TrustRoot;
import dev.uplift.protocol.WireErrorClass;
import dev.uplift.protocol.json.MalformedMessage;
import dev.uplift.protocol.signature.SignatureDomain;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Predicate;

/// Every check of a command that needs no look at the host, in the one order that counts:
/// signature, addressee, known id, instance, time, root, epoch. Decides, and changes nothing.
final class CommandValidator {
  private final HostContext hostContext;
  private final TrustStore trust;
  private final ServerClock clock;
  private final CommandJournal journal;
  private final Predicate<String> isInProgress;

  CommandValidator(
      HostContext hostContext,
      TrustStore trust,
      ServerClock clock,
      CommandJournal journal,
      Predicate<String> isInProgress) {
    this.hostContext = hostContext;
    this.trust = trust;
    this.clock = clock;
    this.journal = journal;
    this.isInProgress = isInProgress;
  }

  CommandValidation validate(ReceivedCommand receivedCommand) {
    if (receivedCommand.size() > Command.MAX_BYTES) {
      return new CommandValidation.Rejected("too long: " + receivedCommand.size() + " bytes");
    }
    if (receivedCommand.signature().isEmpty()) {
      return new CommandValidation.Rejected("not signed");
    }
    var keys = trust.root().trustedKeys(TrustRoot.Role.COMMAND);
    if (!keys.verify(
        SignatureDomain.COMMAND, receivedCommand.body(), receivedCommand.signature())) {
      return new CommandValidation.Rejected("not signed by a key that is trusted here");
    }
    try {
      return validate(
          Command.read(receivedCommand.body()), new String(receivedCommand.body(), UTF_8));
    } catch (MalformedMessage e) {
      return new CommandValidation.Rejected("no command: " + withoutValue(e));
    }
  }

  private static String withoutValue(MalformedMessage e) {
    String text = String.valueOf(e.getMessage());
    int found = text.indexOf(", found");
    return found < 0 ? text : text.substring(0, found);
  }

  private CommandValidation validate(Command command, String text) {
    if (!command.tenant().equals(hostContext.tenant())
        || !command.host().equals(hostContext.host())) {
      return new CommandValidation.Rejected("for another host");
    }
    Optional<CommandRecord> known = journal.find(command.id());
    if (known.isPresent() && known.get().isAnswered()) {
      return new CommandValidation.AlreadyAnswered(known.get());
    }
    if (isInProgress.test(command.id())) {
      return new CommandValidation.InProgress();
    }
    if (!command.instance().isEmpty() && !command.instance().equals(hostContext.instance())) {
      return new CommandValidation.OtherInstance();
    }
    if (command.action() == CommandAction.CANCEL) {
      // Takes back one command and nothing else, so it is never too late for it.
      return new CommandValidation.Accepted(command, text);
    }
    Optional<CommandResult> tooLate = known.isPresent() ? Optional.empty() : timeFailure(command);
    if (tooLate.isPresent()) {
      return answerNow(command, tooLate.get());
    }
    return command.epoch() < journal.highestEpoch()
        ? answerNow(
            command, failed("stale-epoch", WireErrorClass.FINAL, "a newer command was here before"))
        : new CommandValidation.Accepted(command, text);
  }

  /// `not_after` bounds the start: what has begun goes on.
  private Optional<CommandResult> timeFailure(Command command) {
    Optional<Instant> now = clock.confirmed();
    if (now.isPresent() && now.get().isAfter(command.notAfter())) {
      return Optional.of(
          failed("expired", WireErrorClass.FINAL, "not to be begun after " + command.notAfter()));
    }
    if (now.isEmpty() && command.action() != CommandAction.INSPECT) {
      return Optional.of(
          failed(
              "clock-unknown",
              WireErrorClass.RETRYABLE,
              "the server's time could not be learnt, so nobody knows whether it is too late"));
    }
    return installs(command) && trust.root().isExpired(clock.earliest())
        ? Optional.of(
            failed(
                "root-expired",
                WireErrorClass.NEEDS_PERSON,
                "root %d has expired at %s: nothing new is begun before there is a newer one"
                    .formatted(trust.root().version(), trust.root().expiresAt())))
        : Optional.empty();
  }

  /// What is not ended, or taken back, but new.
  private static boolean installs(Command command) {
    return command.action() == CommandAction.PREPARE || command.action() == CommandAction.UPGRADE;
  }

  private CommandValidation answerNow(Command command, CommandResult commandResult) {
    return new CommandValidation.AnsweredNow(
        command, Math.max(command.epoch(), journal.highestEpoch()), commandResult);
  }

  private static CommandResult failed(String code, WireErrorClass wireErrorClass, String text) {
    return new CommandResult.Failed(code, wireErrorClass, text);
  }
}
