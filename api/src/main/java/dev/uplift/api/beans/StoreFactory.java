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
    return database.repository(TenantRepository.class);
  }

  @Singleton
  DeviceRepository devices() {
    return database.repository(DeviceRepository.class);
  }

  @Singleton
  HostRepository hosts() {
    return database.repository(HostRepository.class);
  }

  @Singleton
  ReleaseRepository releases() {
    return database.repository(ReleaseRepository.class);
  }

  @Singleton
  TrustRootRepository roots() {
    return database.repository(TrustRootRepository.class);
  }

  @Singleton
  UpgradeRepository upgrades() {
    return database.repository(UpgradeRepository.class);
  }

  @Singleton
  CommandRepository commands() {
    return database.repository(CommandRepository.class);
  }

  @Singleton
  AuditRepository audit() {
    return database.repository(AuditRepository.class);
  }

  @Singleton
  EnrolmentRepository enrolments() {
    return database.repository(EnrolmentRepository.class);
  }

  @Singleton
  LabelWindowRepository labelWindows() {
    return database.repository(LabelWindowRepository.class);
  }

  @Singleton
  RolloutRepository rollouts() {
    return database.repository(RolloutRepository.class);
  }

  @Singleton
  RolloutWaveRepository waves() {
    return database.repository(RolloutWaveRepository.class);
  }

  @Singleton
  RolloutStatistics counts() {
    return database.repository(RolloutStatistics.class);
  }

  @Singleton
  RolloutDecisionRepository decisions() {
    return database.repository(RolloutDecisionRepository.class);
  }
}
