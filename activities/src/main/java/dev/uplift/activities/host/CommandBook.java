package dev.uplift.activities.host;

import dev.uplift.store.CommandKey;
import dev.uplift.store.CommandRow;
import dev.uplift.store.Commands;
import dev.uplift.store.Mint;
import dev.uplift.store.UpgradeEnd;
import dev.uplift.store.Upgrades;
import dev.uplift.store.Waiter;
import dev.uplift.workflows.device.Order;
import java.util.Optional;

/// The commands of orders: each is written once and then only looked up.
final class CommandBook {
  private final Commands commands;
  private final Upgrades upgrades;
  private final CommandWriter writer;

  CommandBook(Commands commands, Upgrades upgrades, CommandWriter writer) {
    this.commands = commands;
    this.upgrades = upgrades;
    this.writer = writer;
  }

  /// The command for an order, and from now on who waits for its outcome.
  ///
  /// @throws UpgradeEnded where it would have to be written now, and nothing is any more
  /// @throws NoSuchRelease where it cannot be written
  CommandRow await(Order order, Waiter waiter) {
    return commands.await(key(order), waiter, mint(order));
  }

  private Mint mint(Order order) {
    return (id, epoch, now) -> {
      upgrades
          .find(order.device().tenant(), order.upgrade())
          .flatMap(row -> row.end().map(UpgradeEnd::outcome))
          .ifPresent(outcome -> {
            throw new UpgradeEnded(order.upgrade(), outcome);
          });
      return writer.write(order, id, epoch, now);
    };
  }

  /// The command for `inWork` is never sent again. Returns what is sent in its place, if anything.
  Optional<CommandRow> cancel(Order order, Order inWork) {
    return commands.cancel(
        key(inWork), (id, epoch, now, cancels) -> writer.cancel(order, id, epoch, now, cancels));
  }

  private static CommandKey key(Order order) {
    return new CommandKey(
        order.device().tenant(), order.upgrade(), order.host(), order.step(), order.generation());
  }

  /// Empty for an order that was not written, or that is no command.
  Optional<CommandRow> find(Order order) {
    return commands.find(key(order));
  }
}
