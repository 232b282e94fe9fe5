package dev.uplift.services;

import dev.uplift.store.Database;
import dev.uplift.store.command.CommandRepository;
import dev.uplift.store.command.HeartbeatWaitRepository;
import dev.uplift.store.device.DeviceRepository;
import dev.uplift.store.device.HostRepository;
import dev.uplift.store.device.LabelWindowRepository;
import dev.uplift.store.release.ReleaseRepository;
import dev.uplift.store.trust.TrustRootRepository;
import dev.uplift.store.upgrade.UpgradeRepository;

/// The tables that this module works with.
public record Repositories(
    CommandRepository commands,
    DeviceRepository devices,
    HeartbeatWaitRepository heartbeatWaits,
    HostRepository hosts,
    LabelWindowRepository labelWindows,
    ReleaseRepository releases,
    TrustRootRepository trustRoots,
    UpgradeRepository upgrades) {
  public static Repositories of(Database database) {
    return new Repositories(
        database.repository(CommandRepository.class),
        database.repository(DeviceRepository.class),
        database.repository(HeartbeatWaitRepository.class),
        database.repository(HostRepository.class),
        database.repository(LabelWindowRepository.class),
        database.repository(ReleaseRepository.class),
        database.repository(TrustRootRepository.class),
        database.repository(UpgradeRepository.class));
  }
}
