package dev.uplift.activities.host;

import dev.uplift.protocol.Subjects;
import dev.uplift.services.messaging.CommandMessage;
import dev.uplift.services.messaging.LatestCommandStream;
import dev.uplift.services.messaging.StaleEpoch;
import dev.uplift.services.trust.CommandSigner;
import dev.uplift.store.command.CommandEncoder;
import dev.uplift.store.command.CommandKey;
import dev.uplift.store.command.CommandRepository;
import dev.uplift.store.command.CommandRow;
import dev.uplift.store.command.SignedCommand;
import dev.uplift.store.command.WaitingActivity;
import dev.uplift.store.upgrade.UpgradeEnd;
import dev.uplift.store.upgrade.UpgradeRepository;
import dev.uplift.workflows.device.StepRequest;
import jakarta.inject.Singleton;
import java.util.Optional;
import java.util.Set;
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
  private final UpgradeRepository upgrades;
  private final CommandFactory factory;
  private final CommandSigner signer;
  private final LatestCommandStream commandStream;

  CommandIssuer(
      CommandRepository commands,
      UpgradeRepository upgrades,
      CommandFactory factory,
      CommandSigner signer,
      LatestCommandStream commandStream) {
    this.commands = commands;
    this.upgrades = upgrades;
    this.factory = factory;
    this.signer = signer;
    this.commandStream = commandStream;
  }

  /// Returns the command for a step, and records which activity waits for its outcome from now on.
  ///
  /// @throws CannotIssue if it would have to be created now, but its upgrade has ended or its release does not exist
  CommandRow issue(StepRequest stepRequest, WaitingActivity waitingActivity) {
    return commands.createIfAbsent(key(stepRequest), waitingActivity, encoder(stepRequest));
  }

  private CommandEncoder encoder(StepRequest stepRequest) {
    return (id, epoch, now) -> {
      rejectIfEnded(stepRequest);
      return factory.create(stepRequest, id, epoch, now);
    };
  }

  /// A run that was reset, or that the reconciler has given up, sends nothing new.
  private void rejectIfEnded(StepRequest stepRequest) {
    upgrades
        .find(stepRequest.device().tenant(), stepRequest.upgrade())
        .flatMap(row -> row.end().map(UpgradeEnd::outcome))
        .ifPresent(outcome -> {
          throw new CannotIssue("upgrade-ended", "upgrade %s has ended: %s".formatted(stepRequest.upgrade(), outcome));
        });
  }

  /// Withdraws the command for `running`, so that it is never published again. Returns what is published in its place,
  /// if anything.
  Optional<CommandRow> issueCancel(StepRequest stepRequest, StepRequest running) {
    return commands.cancel(
        key(running), (id, epoch, now, cancels) -> factory.createCancel(stepRequest, id, epoch, now, cancels));
  }

  /// Publishes the bytes as they were created, signed with a key that is valid now.
  ///
  /// @throws dev.uplift.services.messaging.NatsUnavailable if the broker did not confirm it; it may be published again
  /// @throws StaleEpoch if the host has a newer command already
  void publish(StepRequest stepRequest, CommandRow row) {
    SignedCommand command = row.toPublish();
    String tenant = stepRequest.device().tenant();
    String host = Subjects.hostAddress(tenant, stepRequest.host().value());
    String signature = signer.signAgainIfKeyChanged(tenant, command.body(), command.signature());
    long sequence = publish(stepRequest, host, CommandMessage.of(command.body(), signature));
    commands.recordPublished(tenant, command.id(), sequence);
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
