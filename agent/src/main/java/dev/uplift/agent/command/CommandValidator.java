package dev.uplift.agent.command;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.uplift.agent.journal.CommandJournal;
import dev.uplift.agent.journal.CommandRecord;
import dev.uplift.agent.report.HostContext;
import dev.uplift.agent.report.ServerClock;
import dev.uplift.agent.trust.TrustStore;
import dev.uplift.protocol.Command;
import dev.uplift.protocol.CommandResult;
import dev.uplift.protocol.Order;
import dev.uplift.protocol.TrustRoot;
import dev.uplift.protocol.WireErrorClass;
import dev.uplift.protocol.json.MalformedMessage;
import dev.uplift.protocol.signature.SignatureDomain;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/// Checks a command without looking at the host, in this order: signature, addressee, known id, instance, time, root,
/// epoch. Decides, and changes nothing.
final class CommandValidator {
  /// How far an epoch may be above the server's time. Epochs are milliseconds of that time; without a bound one command
  /// with a huge epoch would make every later one stale.
  private static final Duration MAX_EPOCH_LEAD = Duration.ofDays(1);

  private final HostContext hostContext;
  private final TrustStore trustStore;
  private final ServerClock clock;
  private final CommandJournal journal;
  private final Predicate<String> isInProgress;

  /// The result of the checks.
  sealed interface Validation {
    /// Not signed by a trusted key, or not readable. Never answered, because the sender is unknown.
    ///
    /// @param why without any of its content
    record Rejected(String why) implements Validation {}

    record AlreadyAnswered(CommandRecord commandRecord) implements Validation {}

    record InProgress() implements Validation {}

    /// For another agent of this host.
    record OtherInstance() implements Validation {}

    /// Never to be executed.
    ///
    /// @param epoch the highest seen
    record AnsweredNow(Command command, long epoch, CommandResult result) implements Validation {}

    /// To be executed.
    ///
    /// @param command what was received; of work that has begun, the command that began it
    /// @param text its exact text
    /// @param keyId of the command key that signed what was received
    /// @param epoch of what was received, if lower ones are stale from now on; else 0
    record Accepted(Command command, String text, String keyId, long epoch) implements Validation {
      boolean countsEpoch() {
        return epoch > 0;
      }
    }
  }

  CommandValidator(
      HostContext hostContext,
      TrustStore trustStore,
      ServerClock clock,
      CommandJournal journal,
      Predicate<String> isInProgress) {
    this.hostContext = hostContext;
    this.trustStore = trustStore;
    this.clock = clock;
    this.journal = journal;
    this.isInProgress = isInProgress;
  }

  Validation validate(ReceivedCommand receivedCommand) {
    if (receivedCommand.size() > Command.MAX_BYTES) {
      return new Validation.Rejected("too long: " + receivedCommand.size() + " bytes");
    }
    if (receivedCommand.signature().isEmpty()) {
      return new Validation.Rejected("not signed");
    }
    var keys = trustStore.root().trustedKeys(TrustRoot.Role.COMMAND);
    Set<String> signers = keys.signers(SignatureDomain.COMMAND, receivedCommand.body(), receivedCommand.signature());
    if (signers.isEmpty()) {
      return new Validation.Rejected("not signed by a key that is trusted here");
    }
    try {
      return validate(
          Command.read(receivedCommand.body()),
          new String(receivedCommand.body(), UTF_8),
          signers.iterator().next(),
          journal.highestEpoch(keys.keyIds()));
    } catch (MalformedMessage e) {
      return new Validation.Rejected("no command: " + withoutValue(e));
    }
  }

  private static String withoutValue(MalformedMessage e) {
    String text = String.valueOf(e.getMessage());
    int found = text.indexOf(", found");
    return found < 0 ? text : text.substring(0, found);
  }

  private Validation validate(Command command, String text, String keyId, long highestEpoch) {
    if (!command.tenant().equals(hostContext.tenant()) || !command.host().equals(hostContext.host())) {
      return new Validation.Rejected("for another host");
    }
    Optional<CommandRecord> known = journal.find(command.id());
    if (known.isPresent() && known.get().isAnswered()) {
      return new Validation.AlreadyAnswered(known.get());
    }
    Command toExecute = command;
    String textToExecute = text;
    if (known.isPresent() && !known.get().command().equals(text)) {
      // The checks below are skipped for work that has begun, so an id lets pass only the bytes that began it. A server
      // that has lost them asks for the same work again, and they are what is executed.
      textToExecute = known.get().command();
      toExecute = Command.read(textToExecute.getBytes(UTF_8));
      if (!isSameWork(toExecute, command)) {
        return new Validation.Rejected("not the command that has begun under its id");
      }
    }
    if (isInProgress.test(command.id())) {
      return new Validation.InProgress();
    }
    if (!command.instance().isEmpty() && !command.instance().equals(hostContext.instance())) {
      return new Validation.OtherInstance();
    }
    if (command.order() instanceof Order.Cancel) {
      // Ends one command and nothing else, so it is never too late for it.
      return new Validation.Accepted(command, text, keyId, countedEpoch(command));
    }
    Optional<CommandResult> tooLate = known.isPresent() ? Optional.empty() : timeFailure(command);
    if (tooLate.isPresent()) {
      return new Validation.AnsweredNow(command, Math.max(command.epoch(), highestEpoch), tooLate.get());
    }
    if (isEpochAhead(command)) {
      return new Validation.AnsweredNow(
          command,
          highestEpoch,
          failed(
              "epoch-ahead",
              WireErrorClass.NEEDS_PERSON,
              "epoch %d is more than a day above the server's time: the clocks of server and NATS differ, or the command is not the server's"
                  .formatted(command.epoch())));
    }
    return command.epoch() < highestEpoch
        ? new Validation.AnsweredNow(
            command, highestEpoch, failed("stale-epoch", WireErrorClass.FINAL, "a newer command was received before"))
        : new Validation.Accepted(toExecute, textToExecute, keyId, countedEpoch(command));
  }

  private static boolean isSameWork(Command begun, Command received) {
    return begun.action() == received.action()
        && begun.packageName().equals(received.packageName())
        && begun.version().equals(received.version());
  }

  /// An epoch counts only if it can be compared with the server's time.
  private long countedEpoch(Command command) {
    return clock.estimated().isPresent() && !isEpochAhead(command) ? command.epoch() : 0;
  }

  private boolean isEpochAhead(Command command) {
    Optional<Instant> now = clock.estimated();
    return now.isPresent() && command.epoch() > now.get().plus(MAX_EPOCH_LEAD).toEpochMilli();
  }

  /// `not_after` bounds the start: a command that has begun continues.
  private Optional<CommandResult> timeFailure(Command command) {
    Optional<Instant> now = clock.confirmed();
    if (now.isPresent() && now.get().isAfter(command.notAfter())) {
      return Optional.of(failed("expired", WireErrorClass.FINAL, "not to be begun after " + command.notAfter()));
    }
    if (now.isEmpty() && !(command.order() instanceof Order.Inspect)) {
      return Optional.of(
          failed(
              "clock-unknown",
              WireErrorClass.RETRYABLE,
              "the server's time could not be learnt, so it may be too late"));
    }
    return command.order() instanceof Order.InstallOrder && trustStore.root().isExpired(clock.earliest())
        ? Optional.of(
            failed(
                "root-expired",
                WireErrorClass.NEEDS_PERSON,
                "root %d has expired at %s: nothing new is begun before there is a newer one"
                    .formatted(trustStore.root().version(), trustStore.root().expiresAt())))
        : Optional.empty();
  }

  private static CommandResult failed(String code, WireErrorClass wireErrorClass, String text) {
    return new CommandResult.Failed(code, wireErrorClass, text);
  }
}
