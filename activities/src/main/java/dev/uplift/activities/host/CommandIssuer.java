package dev.uplift.activities.host;

import dev.uplift.protocol.Subjects;
import dev.uplift.services.messaging.BatchWriter;
import dev.uplift.services.messaging.CommandMessage;
import dev.uplift.services.messaging.LatestCommandStream;
import dev.uplift.services.messaging.StaleEpoch;
import dev.uplift.services.trust.CommandSigner;
import dev.uplift.store.command.CommandKey;
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
import java.util.concurrent.atomic.AtomicReference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Creates the command for a step once, and publishes the same bytes as often as it is asked to.
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

  private final CommandRepository commands;
  private final CommandFactory factory;
  private final CommandSigner signer;
  private final LatestCommandStream commandStream;
  private final BatchWriter batchWriter;

  CommandIssuer(
      CommandRepository commands,
      CommandFactory factory,
      CommandSigner signer,
      LatestCommandStream commandStream,
      BatchWriter batchWriter) {
    this.commands = commands;
    this.factory = factory;
    this.signer = signer;
    this.commandStream = commandStream;
    this.batchWriter = batchWriter;
  }

  /// A command of a step.
  ///
  /// @param isNew whether it was created just now, and so was its signature
  record IssuedCommand(CommandRow row, boolean isNew) {}

  /// Returns the command for a step, and records which activity waits for its outcome from now on.
  ///
  /// @throws CannotIssue if it would have to be created now, but its upgrade has ended (its run was reset, or the
  ///   reconciler has given it up) or its release does not exist
  IssuedCommand issue(StepRequest stepRequest, WaitingActivity waitingActivity) {
    var created = new AtomicReference<>("");
    try {
      CommandRow row =
          commands.createIfAbsent(
              key(stepRequest),
              waitingActivity,
              (id, epoch, now) -> {
                created.set(id);
                return factory.create(stepRequest, id, epoch, now);
              });
      return new IssuedCommand(row, row.id().equals(created.get()));
    } catch (UpgradeEnded e) {
      throw new CannotIssue("upgrade-ended", String.valueOf(e.getMessage()));
    }
  }

  /// Withdraws the command for `running`, so that it is never published again. Returns what is published in its place,
  /// if anything.
  Optional<IssuedCommand> issueCancel(StepRequest stepRequest, StepRequest running) {
    return commands
        .cancel(key(running), (id, epoch, now, cancels) -> factory.createCancel(stepRequest, id, epoch, now, cancels))
        .map(row -> new IssuedCommand(row, false));
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
        Subjects.events(host), () -> commands.recordPublished(tenant, command.id(), sequence, now));
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

  private static CommandKey key(StepRequest stepRequest) {
    return new CommandKey(
        stepRequest.device().tenant(),
        stepRequest.upgrade(),
        stepRequest.host(),
        stepRequest.step(),
        stepRequest.generation());
  }
}
