package dev.uplift.api.beans;

import dev.uplift.store.Database;
import dev.uplift.store.audit.AuditRepository;
import dev.uplift.store.command.CommandRepository;
import dev.uplift.store.device.DeviceRepository;
import dev.uplift.store.device.HostRepository;
import dev.uplift.store.device.LabelWindowRepository;
import dev.uplift.store.enrolment.EnrolmentRepository;
import dev.uplift.store.release.ReleaseRepository;
import dev.uplift.store.rollout.RolloutDecisionRepository;
import dev.uplift.store.rollout.RolloutRepository;
import dev.uplift.store.rollout.RolloutStatistics;
import dev.uplift.store.rollout.RolloutWaveRepository;
import dev.uplift.store.tenant.TenantRepository;
import dev.uplift.store.trust.TrustRootRepository;
import dev.uplift.store.upgrade.UpgradeRepository;
import io.micronaut.context.annotation.Factory;
import jakarta.inject.Singleton;
import java.time.InstantSource;

/// The tables, as beans.
@Factory
final class StoreFactory {
  private final Database database;
  private final InstantSource clock;

  StoreFactory(Database database, InstantSource clock) {
    this.database = database;
    this.clock = clock;
  }

  @Singleton
  TenantRepository tenants() {
    return new TenantRepository(database, clock);
  }

  @Singleton
  DeviceRepository devices() {
    return new DeviceRepository(database, clock);
  }

  @Singleton
  HostRepository hosts() {
    return new HostRepository(database, clock);
  }

  @Singleton
  ReleaseRepository releases() {
    return new ReleaseRepository(database, clock);
  }

  @Singleton
  TrustRootRepository roots() {
    return new TrustRootRepository(database, clock);
  }

  @Singleton
  UpgradeRepository upgrades() {
    return new UpgradeRepository(database, clock);
  }

  @Singleton
  CommandRepository commands() {
    return new CommandRepository(database, clock);
  }

  @Singleton
  AuditRepository audit() {
    return new AuditRepository(database, clock);
  }

  @Singleton
  EnrolmentRepository enrolments() {
    return new EnrolmentRepository(database, clock);
  }

  @Singleton
  LabelWindowRepository labelWindows() {
    return new LabelWindowRepository(database, clock);
  }

  @Singleton
  RolloutRepository rollouts() {
    return new RolloutRepository(database, clock);
  }

  @Singleton
  RolloutWaveRepository waves() {
    return new RolloutWaveRepository(database, clock);
  }

  @Singleton
  RolloutStatistics counts() {
    return new RolloutStatistics(database);
  }

  @Singleton
  RolloutDecisionRepository decisions() {
    return new RolloutDecisionRepository(database, clock);
  }
}
