package dev.uplift.activities;

import dev.uplift.activities.device.DeviceSide;
import dev.uplift.activities.host.HostSide;
import dev.uplift.activities.links.Links;
import dev.uplift.activities.links.Tables;
import dev.uplift.activities.nats.Feed;
import dev.uplift.activities.nats.Notebook;
import dev.uplift.activities.nats.Streams;
import dev.uplift.activities.presence.Inventory;
import dev.uplift.activities.rollout.RolloutSide;
import dev.uplift.activities.rollout.RolloutTables;
import dev.uplift.activities.selection.Selection;
import dev.uplift.activities.temporal.UpgradeWorker;
import dev.uplift.activities.trust.CommandPen;
import dev.uplift.activities.trust.RootStream;
import dev.uplift.activities.trust.Trust;
import dev.uplift.protocol.Subjects;
import java.time.Duration;

/// All that a server in the role `worker` does: runs workflows, sends commands, hears answers and
/// beats, and clears up after workflows that are no more.
final class WorkerRole implements AutoCloseable {
  private static final Duration LOOKOUT = Duration.ofSeconds(2);
  private static final Duration INVENTORY = Duration.ofSeconds(5);

  private final Rounds rounds = new Rounds();
  private final Notebook notebook;
  private final Feed events;
  private final Feed infos;
  private final RolloutSide rollouts;
  private final UpgradeWorker worker;

  WorkerRole(WiringSettings settings, RolloutTables rolloutTables, Links links, RootStream roots) {
    Tables tables = rolloutTables.others();
    this.notebook = new Notebook(rolloutTables.database());
    HostSide hosts =
        HostSide.of(tables, links, notebook, settings.artifacts(), pen(settings, tables));
    this.rollouts = RolloutSide.of(rolloutTables, links, settings.pace(), settings.rolloutPace());
    DeviceSide devices =
        DeviceSide.of(tables, links, settings.reconcileEvery(), rollouts.steps()::wake);
    Inventory inventory = new Inventory(tables.hosts(), notebook, links.refusals());
    links.presence().listen(hosts.lookout()::hear);
    links.presence().listen(inventory::hear);
    this.events = new Feed(links.nats(), Subjects.EVT, Subjects.BRIDGE, hosts.bridge()::accept);
    this.infos = new Feed(links.nats(), Subjects.STATE, Streams.INVENTORY, inventory::accept);
    this.worker =
        new UpgradeWorker(
            links.temporal(),
            hosts.steps(),
            devices.records(),
            rollouts.steps(),
            rollouts.records());
    rounds.every(LOOKOUT, "lookout", hosts.lookout()::refresh);
    rounds.every(INVENTORY, "inventory", inventory::write);
    rounds.every(settings.reconcileEvery(), "reconciler", devices.reconciler()::run);
    rounds.every(settings.reconcileEvery(), "roots", roots::bring);
    rounds.every(settings.reconcileEvery(), "rollouts", rollouts.keeper()::run);
    Thread.ofVirtual().name("selections").start(Selection::warmUp);
  }

  private static CommandPen pen(WiringSettings settings, Tables tables) {
    return new CommandPen(new Trust(tables.roots()), settings.commandKeys());
  }

  /// In an order in which nothing is heard that cannot be handed over.
  @Override
  public void close() {
    rollouts.steps().leave();
    worker.close();
    rounds.close();
    events.close();
    infos.close();
    notebook.close();
  }
}
