package dev.uplift.activities;

import dev.uplift.activities.device.Foresight;
import dev.uplift.activities.enrolment.Enrolling;
import dev.uplift.activities.enrolment.EnrolmentSettings;
import dev.uplift.activities.enrolment.FrontDoor;
import dev.uplift.activities.links.Links;
import dev.uplift.activities.links.Tables;
import dev.uplift.activities.nats.NatsLink;
import dev.uplift.activities.nats.Refusals;
import dev.uplift.activities.nats.SteadyClock;
import dev.uplift.activities.nats.Streams;
import dev.uplift.activities.presence.Presence;
import dev.uplift.activities.rollout.RolloutPlanner;
import dev.uplift.activities.rollout.RolloutTables;
import dev.uplift.activities.temporal.Proceeding;
import dev.uplift.activities.temporal.RolloutStarter;
import dev.uplift.activities.temporal.RolloutSteering;
import dev.uplift.activities.temporal.Steering;
import dev.uplift.activities.temporal.TemporalLink;
import dev.uplift.activities.temporal.UpgradeStarter;
import dev.uplift.activities.trust.Expiries;
import dev.uplift.activities.trust.RootStream;
import dev.uplift.store.Database;
import dev.uplift.store.Enrolments;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/// All parts of this module, put together once. Opening it needs the database alone: NATS and
/// Temporal may be away and come later.
///
/// The role `api` uses what is here; the role `worker` calls [#startWorker] besides.
public final class Wiring implements AutoCloseable {
  private final WiringSettings settings;
  private final Tables tables;
  private final RolloutTables rolloutTables;
  private final Links links;
  private final Rounds rounds = new Rounds();
  private final RootStream roots;
  private final Expiries expiries;
  private @Nullable WorkerRole worker;
  private @Nullable FrontDoor door;

  public Wiring(WiringSettings settings, Database database, MeterRegistry meters) {
    InstantSource clock = new SteadyClock();
    Refusals refusals = new Refusals(meters);
    NatsLink nats = new NatsLink(settings.nats(), clock);
    Presence presence = new Presence(nats, clock, settings.silentAfter(), refusals);
    this.settings = settings;
    this.rolloutTables = RolloutTables.of(database);
    this.tables = rolloutTables.others();
    this.links = new Links(nats, new TemporalLink(settings.temporal()), presence, refusals);
    nats.attach(new Streams(settings.nats().replicas()));
    nats.attach(presence);
    this.roots = new RootStream(nats, tables.roots());
    nats.attach(roots);
    var enrolments = new Enrolments(database, InstantSource.system());
    this.expiries = new Expiries(tables.roots(), enrolments, InstantSource.system(), meters);
    nats.start();
  }

  /// Runs workflows, sends commands and hears answers, from now on until this is closed. Waits for
  /// nothing: what is away is joined when it comes. Once.
  public synchronized void startWorker() {
    worker = new WorkerRole(settings, rolloutTables, links, roots);
    rounds.every(settings.reconcileEvery(), "expiries", expiries::look);
  }

  /// Lets hosts in, from now on until this is closed. Once.
  public synchronized Enrolling openDoor(EnrolmentSettings enrolment, Database database) {
    FrontDoor opened = FrontDoor.open(enrolment, settings.nats(), database, tables, links);
    door = opened;
    rounds.every(settings.reconcileEvery(), "revocations", opened.revocations()::bringAgain);
    return opened.enrolling();
  }

  public TemporalLink temporal() {
    return links.temporal();
  }

  public NatsLink nats() {
    return links.nats();
  }

  public Presence presence() {
    return links.presence();
  }

  /// Where hosts find what was published.
  public RootStream roots() {
    return roots;
  }

  public UpgradeStarter starter() {
    return new UpgradeStarter(links.temporal());
  }

  public Steering steering() {
    return new Steering(links.temporal());
  }

  public Proceeding proceeding() {
    return new Proceeding(links.temporal());
  }

  public RolloutPlanner planner() {
    return new RolloutPlanner(rolloutTables, links.presence());
  }

  public RolloutStarter rolloutStarter() {
    return new RolloutStarter(links.temporal(), settings.rolloutPace());
  }

  public RolloutSteering rolloutSteering() {
    return new RolloutSteering(links.temporal());
  }

  public Foresight foresight() {
    return new Foresight(tables, links.presence());
  }

  @Override
  public synchronized void close() {
    if (worker != null) {
      worker.close();
    }
    rounds.close();
    if (door != null) {
      door.close();
    }
    links.nats().close();
    links.temporal().close();
  }
}
