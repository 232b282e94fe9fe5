package dev.uplift.activities.device;

import dev.uplift.activities.links.Links;
import dev.uplift.activities.links.Tables;
import dev.uplift.activities.nats.CommandSlot;
import dev.uplift.activities.temporal.Fates;

/// The parts of this package, put together.
///
/// @param records for a worker
/// @param reconciler runs every minute
public record DeviceSide(RecordsInTables records, Reconciler reconciler) {

  public static DeviceSide of(Tables tables, Links links) {
    Facts facts =
        new Facts(
            tables.devices(),
            tables.hosts(),
            tables.releases(),
            tables.upgrades(),
            links.presence());
    return new DeviceSide(
        new RecordsInTables(tables.upgrades(), facts),
        new Reconciler(
            tables.upgrades(),
            tables.commands(),
            new Fates(links.temporal()),
            new CommandSlot(links.nats())));
  }
}
