package dev.uplift.api.wiring;

import dev.uplift.store.Audit;
import dev.uplift.store.Commands;
import dev.uplift.store.Database;
import dev.uplift.store.Devices;
import dev.uplift.store.Enrolments;
import dev.uplift.store.Hosts;
import dev.uplift.store.LabelWindows;
import dev.uplift.store.Releases;
import dev.uplift.store.RolloutCounts;
import dev.uplift.store.RolloutDecisions;
import dev.uplift.store.RolloutWaves;
import dev.uplift.store.Rollouts;
import dev.uplift.store.Roots;
import dev.uplift.store.Tenants;
import dev.uplift.store.Upgrades;
import io.micronaut.context.annotation.Factory;
import jakarta.inject.Singleton;
import java.time.InstantSource;

/// The tables, as beans.
@Factory
final class Tables {
  private final Database database;
  private final InstantSource clock;

  Tables(Database database, InstantSource clock) {
    this.database = database;
    this.clock = clock;
  }

  @Singleton
  Tenants tenants() {
    return new Tenants(database, clock);
  }

  @Singleton
  Devices devices() {
    return new Devices(database, clock);
  }

  @Singleton
  Hosts hosts() {
    return new Hosts(database, clock);
  }

  @Singleton
  Releases releases() {
    return new Releases(database, clock);
  }

  @Singleton
  Roots roots() {
    return new Roots(database, clock);
  }

  @Singleton
  Upgrades upgrades() {
    return new Upgrades(database, clock);
  }

  @Singleton
  Commands commands() {
    return new Commands(database, clock);
  }

  @Singleton
  Audit audit() {
    return new Audit(database, clock);
  }

  @Singleton
  Enrolments enrolments() {
    return new Enrolments(database, clock);
  }

  @Singleton
  LabelWindows labelWindows() {
    return new LabelWindows(database, clock);
  }

  @Singleton
  Rollouts rollouts() {
    return new Rollouts(database, clock);
  }

  @Singleton
  RolloutWaves waves() {
    return new RolloutWaves(database, clock);
  }

  @Singleton
  RolloutCounts counts() {
    return new RolloutCounts(database);
  }

  @Singleton
  RolloutDecisions decisions() {
    return new RolloutDecisions(database, clock);
  }
}
