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
import java.util.stream.Stream;

/// The repositories of an open database, to be registered as singletons of the server. A factory
/// cannot make them: they are proxies already, of the context that [Database] keeps.
public final class StoreRepositories {
  private static final Class<?>[] TYPES = {
    AuditRepository.class,
    CommandRepository.class,
    DeviceRepository.class,
    HostRepository.class,
    LabelWindowRepository.class,
    EnrolmentRepository.class,
    ReleaseRepository.class,
    RolloutDecisionRepository.class,
    RolloutRepository.class,
    RolloutStatistics.class,
    RolloutWaveRepository.class,
    TenantRepository.class,
    TrustRootRepository.class,
    UpgradeRepository.class
  };

  private StoreRepositories() {}

  public static Object[] of(Database database) {
    return Stream.of(TYPES).map(database::repository).toArray();
  }
}
