package dev.uplift.activities.host;

import dev.uplift.activities.artifacts.ArtifactAddresses;
import dev.uplift.activities.links.Links;
import dev.uplift.activities.links.Tables;
import dev.uplift.activities.nats.Backlog;
import dev.uplift.activities.nats.CommandSlot;
import dev.uplift.activities.nats.Infos;
import dev.uplift.activities.nats.Notebook;
import dev.uplift.activities.temporal.Completions;
import dev.uplift.activities.trust.CommandPen;

/// The parts of this package, put together.
///
/// @param steps for a worker
/// @param bridge hears events
/// @param lookout hears beats, and is refreshed every few seconds
public record HostSide(HostStepsOverNats steps, Bridge bridge, Lookout lookout) {

  public static HostSide of(
      Tables tables, Links links, Notebook notebook, ArtifactAddresses addresses, CommandPen pen) {
    CommandSlot slot = new CommandSlot(links.nats());
    Completions completions = new Completions(links.temporal());
    CommandBook book =
        new CommandBook(
            tables.commands(),
            tables.upgrades(),
            new CommandWriter(tables.releases(), addresses, pen));
    Lookout lookout =
        new Lookout(tables.expectations(), links.presence(), new Infos(links.nats()), completions);
    Sights sights =
        new Sights(
            book, tables.commands(), new Backlog(links.nats()), links.presence(), links.nats());
    return new HostSide(
        new HostStepsOverNats(
            book, new CommandSender(tables.commands(), slot, pen), lookout, sights),
        new Bridge(tables.commands(), slot, completions, notebook, links.refusals()),
        lookout);
  }
}
