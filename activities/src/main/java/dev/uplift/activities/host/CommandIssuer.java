package dev.uplift.activities.host;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.uplift.protocol.Event;
import dev.uplift.protocol.Subjects;
import dev.uplift.protocol.json.MalformedMessage;
import dev.uplift.services.messaging.BatchWriter;
import dev.uplift.services.messaging.CommandMessage;
import dev.uplift.services.messaging.EventBacklog;
import dev.uplift.services.messaging.LatestCommandStream;
import dev.uplift.services.messaging.StaleEpoch;
import dev.uplift.services.trust.CommandSigner;
import dev.uplift.store.command.CommandKey;
import dev.uplift.store.command.CommandReport;
import dev.uplift.store.command.CommandRepository;
import dev.uplift.store.command.CommandRow;
import dev.uplift.store.command.SignedCommand;
import dev.uplift.store.command.UpgradeEnded;
import dev.uplift.store.command.WaitingActivity;
import dev.uplift.workflows.device.StepRequest;
import jakarta.inject.Singleton;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Creates the command for a step once, and publishes the same bytes as often as it is asked to.
///
/// Its id follows from the step and from the run of the workflow that asks for it. So it is the same again where the
/// tables were restored from a copy that does not know the command, and a host that has carried it out answers what it
/// has answered before.
@Singleton
final class CommandIssuer {
  private static final Logger LOG = LoggerFactory.getLogger(CommandIssuer.class);

  /// There can be no command for a step. It is final, and the step fails with this code.
  static final class CannotIssue extends RuntimeException {
    private static final long serialVersionUID = 1;
    private final String code;

    CannotIssue(String code, String message) {
      super(message);
      this.code = code;
    }

    String code() {
      return code;
    }
  }

  /// The tables do not have a command that its host has begun, because they are an older copy.
  static final class LostCommand extends RuntimeException {
    private static final long serialVersionUID = 1;

    LostCommand(String message) {
      super(message);
    }
  }

  private final CommandRepository commands;
  private final CommandFactory factory;
  private final CommandSigner signer;
  private final LatestCommandStream commandStream;
  private final BatchWriter batchWriter;
  private final BatchWriter.RowWriter<CommandReport> reportWriter;
  private final EventBacklog eventBacklog;

  CommandIssuer(
      CommandRepository commands,
      CommandFactory factory,
      CommandSigner signer,
      LatestCommandStream commandStream,
      BatchWriter batchWriter,
      EventBacklog eventBacklog) {
    this.commands = commands;
    this.factory = factory;
    this.signer = signer;
    this.commandStream = commandStream;
    this.batchWriter = batchWriter;
    this.reportWriter = BatchWriter.RowWriter.acknowledging("command", commands::record);
    this.eventBacklog = eventBacklog;
  }

  /// A command of a step.
  ///
  /// @param isNew whether it was created just now, and so was its signature
  record IssuedCommand(CommandRow row, boolean isNew) {}

  /// Returns the command for a step, and records which activity waits for its outcome from now on.
  ///
  /// @param run of the workflow that asks for it
  /// @throws CannotIssue if it would have to be created now, but its upgrade has ended (its run was reset, or the
  ///   reconciler has given it up) or its release does not exist
  IssuedCommand issue(StepRequest stepRequest, String run, WaitingActivity waitingActivity) {
    var created = new AtomicReference<Optional<SignedCommand>>(Optional.empty());
    try {
      CommandRow row =
          commands.createIfAbsent(
              key(stepRequest),
              stepRequest.release(),
              waitingActivity,
              basis -> {
                SignedCommand command = factory.create(stepRequest, id(stepRequest, run), basis);
                created.set(Optional.of(command));
                return command;
              });
      return new IssuedCommand(row, created.get().isPresent() && created.get().equals(row.command()));
    } catch (UpgradeEnded e) {
      throw new CannotIssue("upgrade-ended", String.valueOf(e.getMessage()));
    }
  }

  /// Withdraws the command for `running`, so that it is never published again. Returns what is published in its place,
  /// if anything.
  ///
  /// @param run of the workflow of both
  /// @throws LostCommand if the command for `running` has no row and its host has begun it nevertheless; the activity
  ///   of `running` creates the row again
  Optional<IssuedCommand> issueCancel(StepRequest stepRequest, StepRequest running, String run) {
    if (find(running).isEmpty() && isBegun(running, run)) {
      throw new LostCommand(running + " was sent, and the tables do not know it");
    }
    return commands
        .cancel(key(running), (basis, cancels) -> factory.createCancel(stepRequest, basis, cancels))
        .map(row -> new IssuedCommand(row, false));
  }

  /// Returns whether the host may have carried out the step: its command is in the tables, or the host has told of it
  /// and the tables are an older copy.
  ///
  /// @param run of the workflow that asks for it
  boolean mayBeSent(StepRequest stepRequest, String run) {
    return find(stepRequest).isPresent() || isBegun(stepRequest, run);
  }

  private boolean isBegun(StepRequest stepRequest, String run) {
    String id = id(stepRequest, run);
    String host = Subjects.hostAddress(stepRequest.device().tenant(), stepRequest.host().value());
    return eventBacklog.readAll(host).stream().anyMatch(event -> isAbout(event, id));
  }

  private static boolean isAbout(byte[] event, String id) {
    try {
      return Event.read(event).commandId().equals(id);
    } catch (MalformedMessage _) {
      // EventConsumer rejects it, and counts it.
      return false;
    }
  }

  /// Publishes the bytes as they were created, signed with a key that is valid now. That it was published is recorded
  /// soon after, with other writes, or with its outcome. If this server is killed before, it is published again
  /// ([dev.uplift.activities.device.UpgradeReconciler]).
  ///
  /// @throws dev.uplift.services.messaging.NatsUnavailable if the broker did not confirm it; it may be published again
  /// @throws StaleEpoch if the host has a newer command already
  void publish(StepRequest stepRequest, IssuedCommand issued) {
    SignedCommand command = issued.row().toPublish();
    String tenant = stepRequest.device().tenant();
    String host = Subjects.hostAddress(tenant, stepRequest.host().value());
    String signature =
        issued.isNew()
            ? command.signature()
            : signer.signAgainIfKeyChanged(tenant, command.body(), command.signature());
    long sequence = publish(stepRequest, host, CommandMessage.of(command.body(), signature));
    Instant now = Instant.now();
    batchWriter.enqueueUnacknowledged(
        Subjects.events(host),
        reportWriter,
        CommandReport.published(tenant, stepRequest.host(), command.id(), sequence, now));
  }

  /// A command that no server has created does not count as newer, even with a higher epoch: it was published past
  /// Uplift, or the tables were restored from an older copy.
  private long publish(StepRequest stepRequest, String host, CommandMessage message) {
    try {
      return commandStream.publish(host, message);
    } catch (StaleEpoch e) {
      if (commands.find(stepRequest.device().tenant(), stepRequest.host(), e.newerId()).isPresent()) {
        throw e;
      }
      LOG.warn("the command {} for {} is none of this installation, and is removed", e.newerId(), host);
      commandStream.purge(host, Set.of(e.newerId()));
      return commandStream.publish(host, message);
    }
  }

  /// Returns empty if no command was created for the step, or if the step has none.
  Optional<CommandRow> find(StepRequest stepRequest) {
    return commands.find(key(stepRequest));
  }

  /// No other installation, tenant or upgrade has the same one, because the id of the run is random.
  private static String id(StepRequest stepRequest, String run) {
    String name =
        String.join(
            "\n",
            run,
            stepRequest.upgrade(),
            stepRequest.host().value(),
            stepRequest.step().name(),
            String.valueOf(stepRequest.generation()));
    return UUID.nameUUIDFromBytes(name.getBytes(UTF_8)).toString();
  }

  private static CommandKey key(StepRequest stepRequest) {
    return new CommandKey(
        stepRequest.device().tenant(),
        stepRequest.upgrade(),
        stepRequest.host(),
        stepRequest.step(),
        stepRequest.generation());
  }
}
