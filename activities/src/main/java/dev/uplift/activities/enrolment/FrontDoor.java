package dev.uplift.activities.enrolment;

import dev.uplift.activities.links.Links;
import dev.uplift.activities.links.Tables;
import dev.uplift.activities.nats.NatsLink;
import dev.uplift.activities.nats.NatsSettings;
import dev.uplift.activities.nats.SteadyClock;
import dev.uplift.store.Database;
import dev.uplift.store.Enrolments;
import java.time.InstantSource;

/// The parts of this package, put together, with a connection to NATS of their own.
///
/// @param system to the account from which NATS is told who may log in
public record FrontDoor(Enrolling enrolling, Revocations revocations, NatsLink system)
    implements AutoCloseable {

  public static FrontDoor open(
      EnrolmentSettings settings,
      NatsSettings nats,
      Database database,
      Tables tables,
      Links links) {
    var clock = new SteadyClock();
    var enrolments = new Enrolments(database, InstantSource.system());
    var system = new NatsLink(nats.as(settings.system()), clock);
    var revocations = new Revocations(system, enrolments, settings, Revocations.ANSWER);
    system.attach(revocations);
    system.start();
    return new FrontDoor(
        new Enrolling(settings, enrolments, revocations, tables, links), revocations, system);
  }

  @Override
  public void close() {
    system.close();
  }
}
