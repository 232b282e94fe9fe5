package dev.uplift.activities;

import dev.uplift.activities.nats.NatsLink;
import dev.uplift.activities.nats.SteadyClock;
import dev.uplift.activities.nats.Streams;
import dev.uplift.activities.presence.Presence;
import dev.uplift.activities.temporal.Steering;
import dev.uplift.activities.temporal.TemporalLink;
import dev.uplift.activities.temporal.UpgradeStarter;
import dev.uplift.store.Database;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.InstantSource;

/// All parts of this module, put together once. Opening it needs the database alone: NATS and
/// Temporal may be away and come later.
///
/// The role `api` uses what is here; the role `worker` calls [#startWorker] besides.
public final class Wiring implements AutoCloseable {
  private final TemporalLink temporal;
  private final NatsLink nats;
  private final Presence presence;
  private final Refusals refusals;

  public Wiring(WiringSettings settings, Database database, MeterRegistry meters) {
    InstantSource clock = new SteadyClock();
    this.refusals = new Refusals(meters);
    this.temporal = new TemporalLink(settings.temporal());
    this.nats = new NatsLink(settings.nats(), clock);
    this.presence = new Presence(nats, clock, settings.silentAfter(), refusals);
    nats.attach(new Streams(settings.nats().replicas()));
    nats.attach(presence);
    nats.start();
  }

  /// Runs workflows, sends commands and hears answers, from now on until this is closed. Waits for
  /// nothing: what is away is joined when it comes.
  public void startWorker() {}

  public TemporalLink temporal() {
    return temporal;
  }

  public NatsLink nats() {
    return nats;
  }

  public Presence presence() {
    return presence;
  }

  public UpgradeStarter starter() {
    return new UpgradeStarter(temporal);
  }

  public Steering steering() {
    return new Steering(temporal);
  }

  @Override
  public void close() {
    nats.close();
    temporal.close();
  }
}
