package dev.uplift.activities.host;

import dev.uplift.store.command.CommandEncoder;
import dev.uplift.store.command.CommandKey;
import dev.uplift.store.command.CommandRepository;
import dev.uplift.store.command.CommandRow;
import dev.uplift.store.command.WaitingActivity;
import dev.uplift.store.upgrade.UpgradeEnd;
import dev.uplift.store.upgrade.UpgradeRepository;
import dev.uplift.workflows.device.StepRequest;
import java.util.Optional;

/// The commands of orders: each is written once and then only looked up.
final class CommandIssuer {
  private final CommandRepository commands;
  private final UpgradeRepository upgrades;
  private final CommandFactory factory;

  CommandIssuer(CommandRepository commands, UpgradeRepository upgrades, CommandFactory factory) {
    this.commands = commands;
    this.upgrades = upgrades;
    this.factory = factory;
  }

  /// The command for an order, and from now on who waits for its outcome.
  ///
  /// @throws UpgradeAlreadyEnded where it would have to be written now, and nothing is any more
  /// @throws NoSuchRelease where it cannot be written
  CommandRow issue(StepRequest stepRequest, WaitingActivity waitingActivity) {
    return commands.createIfAbsent(key(stepRequest), waitingActivity, encoder(stepRequest));
  }

  private CommandEncoder encoder(StepRequest stepRequest) {
    return (id, epoch, now) -> {
      upgrades
          .find(stepRequest.device().tenant(), stepRequest.upgrade())
          .flatMap(row -> row.end().map(UpgradeEnd::outcome))
          .ifPresent(outcome -> {
            throw new UpgradeAlreadyEnded(stepRequest.upgrade(), outcome);
          });
      return factory.create(stepRequest, id, epoch, now);
    };
  }

  /// The command for `inWork` is never sent again. Returns what is sent in its place, if anything.
  Optional<CommandRow> issueCancel(StepRequest stepRequest, StepRequest inWork) {
    return commands.cancel(
        key(inWork), (id, epoch, now, cancels) -> factory.createCancel(stepRequest, id, epoch, now, cancels));
  }

  private static CommandKey key(StepRequest stepRequest) {
    return new CommandKey(
        stepRequest.device().tenant(), stepRequest.upgrade(), stepRequest.host(), stepRequest.step(), stepRequest.generation());
  }

  /// Empty for an order that was not written, or that is no command.
  Optional<CommandRow> find(StepRequest stepRequest) {
    return commands.find(key(stepRequest));
  }
}
