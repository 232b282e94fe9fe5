package dev.uplift.services;

import dev.uplift.store.Database;
import dev.uplift.store.command.CommandRepository;
import dev.uplift.store.command.HeartbeatWaitRepository;
import dev.uplift.store.device.DeviceRepository;
import dev.uplift.store.device.HostOfferRepository;
import dev.uplift.store.device.HostRepository;
import dev.uplift.store.device.LabelWindowRepository;
import dev.uplift.store.pin.PinRepository;
import dev.uplift.store.release.ReleaseRepository;
import dev.uplift.store.tenant.TenantRepository;
import dev.uplift.store.tenant.TenantStopRepository;
import dev.uplift.store.trust.TrustRootRepository;
import dev.uplift.store.upgrade.FailureRepository;
import dev.uplift.store.upgrade.UpgradeFactRepository;
import dev.uplift.store.upgrade.UpgradeRepository;
import dev.uplift.store.upgrade.UpgradeWaitRepository;
import jakarta.inject.Singleton;

/// The tables that this module works with.
@Singleton
public record Repositories(
    Database database,
    CommandRepository commands,
    DeviceRepository devices,
    FailureRepository failures,
    HeartbeatWaitRepository heartbeatWaits,
    HostOfferRepository hostOffers,
    HostRepository hosts,
    LabelWindowRepository labelWindows,
    PinRepository pins,
    ReleaseRepository releases,
    TenantRepository tenants,
    TenantStopRepository tenantStops,
    TrustRootRepository trustRoots,
    UpgradeFactRepository upgradeFacts,
    UpgradeRepository upgrades,
    UpgradeWaitRepository upgradeWaits) {}
