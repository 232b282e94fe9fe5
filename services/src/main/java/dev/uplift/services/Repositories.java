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
import java.time.Clock;

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
    Clock clock = Clock.systemUTC();
    return new Repositories(
        new CommandRepository(database, clock),
        new DeviceRepository(database, clock),
        new HeartbeatWaitRepository(database, clock),
        new HostRepository(database, clock),
        new LabelWindowRepository(database, clock),
        new ReleaseRepository(database, clock),
        new TrustRootRepository(database, clock),
        new UpgradeRepository(database, clock));
  }
}
