package dev.uplift.activities.host;

import dev.uplift.activities.nats.CommandSlot;
import dev.uplift.activities.nats.Letter;
import dev.uplift.activities.trust.CommandPen;
import dev.uplift.protocol.Subjects;
import dev.uplift.store.CommandRow;
import dev.uplift.store.Commands;
import dev.uplift.store.Written;
import dev.uplift.workflows.device.Order;

/// Puts what is sent for an order into its host's slot.
final class CommandSender {
  private final Commands commands;
  private final CommandSlot slot;
  private final CommandPen pen;

  CommandSender(Commands commands, CommandSlot slot, CommandPen pen) {
    this.commands = commands;
    this.slot = slot;
    this.pen = pen;
  }

  /// Its bytes as they were first written, signed with a key that counts now.
  void send(Order order, CommandRow row) {
    Written written = row.toSend();
    String tenant = order.device().tenant();
    String host = Subjects.host(tenant, order.host().value());
    String signature = pen.renew(tenant, written.body(), written.signature());
    long sequence = slot.put(host, Letter.of(written.body(), signature));
    commands.published(tenant, written.id(), sequence);
  }
}
