package dev.uplift.services.upgrade;

import dev.uplift.fleet.DeviceFacts;
import dev.uplift.fleet.DeviceId;
import dev.uplift.fleet.HostId;
import dev.uplift.fleet.HostState;
import dev.uplift.fleet.OfferedUpdates;
import dev.uplift.fleet.Release;
import dev.uplift.fleet.pin.Pin;
import dev.uplift.fleet.pin.PinOrigin;
import dev.uplift.services.Repositories;
import dev.uplift.services.presence.Presence;
import dev.uplift.services.presence.ReceivedHeartbeat;
import dev.uplift.store.device.DeviceRepository;
import dev.uplift.store.device.Hold;
import dev.uplift.store.device.HostOfferRepository;
import dev.uplift.store.device.HostRepository;
import dev.uplift.store.device.HostRow;
import dev.uplift.store.device.HostSoftware;
import dev.uplift.store.pin.PinRepository;
import dev.uplift.store.pin.PinRow;
import dev.uplift.store.tenant.TenantRepository;
import dev.uplift.store.tenant.TenantRow;
import dev.uplift.store.tenant.TenantStopRepository;
import dev.uplift.store.tenant.TenantStopRow;
import dev.uplift.store.upgrade.FailureRepository;
import dev.uplift.store.upgrade.UpgradeEnd;
import dev.uplift.store.upgrade.UpgradeFactRepository;
import dev.uplift.store.upgrade.UpgradeFacts;
import dev.uplift.store.upgrade.UpgradeRow;
import jakarta.inject.Singleton;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.stream.Collectors;

/// Loads the facts that decide whether an upgrade may start, from tables and presence.
@Singleton
public final class DeviceFactsLoader {
  private final DeviceRepository devices;
  private final HostOfferRepository hostOffers;
  private final HostRepository hosts;
  private final ReleaseFactsCache releases;
  private final UpgradeFactRepository upgradeFacts;
  private final FailureRepository failures;
  private final PinRepository pins;
  private final TenantRepository tenants;
  private final TenantStopRepository tenantStops;
  private final Presence presence;

  public DeviceFactsLoader(Repositories repositories, Presence presence) {
    this.devices = repositories.devices();
    this.hostOffers = repositories.hostOffers();
    this.hosts = repositories.hosts();
    this.releases = new ReleaseFactsCache(repositories.releases());
    this.upgradeFacts = repositories.upgradeFacts();
    this.failures = repositories.failures();
    this.pins = repositories.pins();
    this.tenants = repositories.tenants();
    this.tenantStops = repositories.tenantStops();
    this.presence = presence;
  }

  public DeviceFacts load(DeviceId device, List<HostId> hostIds, ReleaseFacts release) {
    UpgradeFacts found = upgradeFacts.find(device, release.release());
    String packageName = release.release().packageName();
    Map<HostId, HostSoftware> ofDevice =
        hosts.findSoftware(device).stream().collect(Collectors.toMap(HostSoftware::host, Function.identity()));
    Map<HostId, OfferedUpdates> offers =
        found.isOffered()
            ? hostOffers.findByDeviceRange(device.tenant(), packageName, device.name(), device.name())
            : Map.of();
    return new DeviceFacts(
        hostIds.stream()
            .map(host ->
                host(
                        device.tenant(),
                        host,
                        packageName,
                        Optional.ofNullable(ofDevice.get(host)).or(() -> findOnOtherDevice(device.tenant(), host)))
                    .withOffer(Optional.ofNullable(offers.get(host))))
            .toList(),
        release.kind(),
        release.sequence(),
        release.installsOver(),
        found.isHeld() ? holdReason(device) : Optional.empty(),
        found.hasFailed()
            ? failures.findFailureSinceSuccess(device, release.release()).map(DeviceFactsLoader::describe)
            : Optional.empty(),
        found.isStopped() ? tenantStops.find(device.tenant()).map(TenantStopRow::describe) : Optional.empty(),
        found.isPinned() ? loadPins(device, packageName) : List.of());
  }

  /// Loads the pins of a package on a device that are in force, those of owners first.
  public List<DeviceFacts.PinFacts> loadPins(DeviceId device, String packageName) {
    return pinFacts(
        pins.find(device).stream().map(PinRow::pin).toList(),
        packageName,
        () -> tenants.find(device.tenant()).map(TenantRow::allowHoldOverride).orElse(false),
        Instant.now());
  }

  /// Returns the pins of a package that are in force.
  ///
  /// @param pins of a device, those of owners first
  /// @param allowsHoldOverride whether the tenant lets persons override what owners hold; asked only if one does
  static List<DeviceFacts.PinFacts> pinFacts(
      List<Pin> pins, String packageName, BooleanSupplier allowsHoldOverride, Instant now) {
    return pins.stream()
        .filter(pin -> pin.packageName().equals(packageName) && pin.isActiveAt(now))
        .map(pin -> pinFacts(pin, mayBeOverridden(pin, allowsHoldOverride)))
        .toList();
  }

  private static DeviceFacts.PinFacts pinFacts(Pin pin, boolean mayBeOverridden) {
    String isOwners = pin.origin() == PinOrigin.HOST && !mayBeOverridden ? "; only its owner ends it" : "";
    return new DeviceFacts.PinFacts(pin.version(), pin.describe() + isOwners, mayBeOverridden);
  }

  /// A barrier cannot be overridden: the host would run through the migration.
  private static boolean mayBeOverridden(Pin pin, BooleanSupplier allowsHoldOverride) {
    return switch (pin.origin()) {
      case OPERATOR -> true;
      case HOST -> allowsHoldOverride.getAsBoolean();
      case BARRIER -> false;
    };
  }

  public Optional<ReleaseFacts> findRelease(String tenant, Release release) {
    return releases.find(tenant, release);
  }

  /// A host of an upgrade may have moved.
  private Optional<HostSoftware> findOnOtherDevice(String tenant, HostId host) {
    return hosts.find(tenant, host).map(HostRow::software);
  }

  private DeviceFacts.HostFacts host(String tenant, HostId host, String packageName, Optional<HostSoftware> row) {
    DeviceFacts.HostFacts found =
        host(
            host,
            packageName,
            row,
            presence.activeInstance(tenant, host),
            release -> releases.find(tenant, release).map(ReleaseFacts::sequence));
    return presence.describeDuplicates(tenant, host).map(found::asDuplicate).orElse(found);
  }

  static DeviceFacts.HostFacts host(
      HostId host,
      String packageName,
      Optional<HostSoftware> row,
      Optional<ReceivedHeartbeat> newest,
      Function<Release, Optional<Long>> sequences) {
    Optional<ReceivedHeartbeat> beat = newest.filter(ReceivedHeartbeat::isFromRunningAgent);
    String version =
        beat.map(heard -> heard.heartbeat().versions().get(packageName))
            .or(() -> row.map(said -> said.versions().get(packageName)))
            .orElse(HostState.UNKNOWN);
    return new DeviceFacts.HostFacts(
        host,
        version,
        beat.map(heard -> heard.heartbeat().onTrial()).orElse(false),
        sequences.apply(new Release(packageName, version)),
        row.flatMap(HostSoftware::drivers).map(Set::copyOf));
  }

  private Optional<String> holdReason(DeviceId device) {
    return devices
        .find(device)
        .map(row -> row.activeHold(Instant.now()).map(DeviceFactsLoader::describe))
        .orElseGet(() -> Optional.of(device + " no longer exists"));
  }

  static String describe(Hold hold) {
    return "held by %s%s: %s"
        .formatted(hold.by(), hold.until().map(until -> " until " + until).orElse(""), hold.reason());
  }

  static String describe(UpgradeRow row) {
    return describeFailure(
        row.id(),
        row.end().map(end -> end.outcome().toString()).orElse("unknown"),
        row.end().flatMap(UpgradeEnd::reason).map(UpgradeEnd.EndReason::text).orElse(""));
  }

  static String describeFailure(String upgrade, String outcome, String text) {
    return "upgrade %s ended as %s%s".formatted(upgrade, outcome, text.isEmpty() ? "" : ", " + text);
  }
}
