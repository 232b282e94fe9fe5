package dev.uplift.services.upgrade;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.uplift.fleet.DeviceFacts;
import dev.uplift.fleet.HostId;
import dev.uplift.fleet.OfferedUpdates;
import dev.uplift.fleet.Release;
import dev.uplift.fleet.RequestedUpgrade;
import dev.uplift.fleet.UpgradeCheck;
import dev.uplift.fleet.pin.Pin;
import dev.uplift.protocol.ReleaseManifest;
import dev.uplift.services.Repositories;
import dev.uplift.services.presence.HostPresence;
import dev.uplift.store.device.DeviceRow;
import dev.uplift.store.device.Hold;
import dev.uplift.store.device.HostSoftware;
import dev.uplift.store.pin.PinRow;
import dev.uplift.store.release.ReleaseRow;
import dev.uplift.store.tenant.TenantRow;
import dev.uplift.store.upgrade.FailureRepository.DeviceFailure;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/// Checks the devices of a whole fleet by the rule and the facts of a single upgrade: reads the facts once, or page by
/// page, and checks device by device. For one thread and one release. That the tenant is stopped declines nothing here:
/// it does not say which devices to upgrade, only when.
public final class FleetUpgradeChecker {
  private final Repositories repositories;
  private final HostPresence presence;
  private final ReleaseRow release;
  private final Set<String> installsOver;
  private final Map<String, String> failedBefore = new HashMap<>();
  private final Map<String, List<Pin>> pins = new HashMap<>();
  private final Map<Release, Optional<Long>> sequences = new HashMap<>();
  private Map<HostId, OfferedUpdates> offers = Map.of();

  /// Empty until it is asked for.
  private Optional<Boolean> holdOverride = Optional.empty();

  private FleetUpgradeChecker(Repositories repositories, HostPresence presence, ReleaseRow release) {
    this.repositories = repositories;
    this.presence = presence;
    this.release = release;
    this.installsOver = Set.copyOf(ReleaseManifest.read(release.manifest().getBytes(UTF_8)).installsOver());
  }

  public static FleetUpgradeChecker load(Repositories repositories, HostPresence presence, ReleaseRow release) {
    var checker = new FleetUpgradeChecker(repositories, presence, release);
    checker.addFailures(repositories.failures().listFailuresSinceSuccess(release.tenant(), release.release()));
    checker.addPins(repositories.pins().listOfPackage(release.tenant(), release.release().packageName()));
    return checker;
  }

  /// As above, for devices whose failures and pins are read by [#useRange].
  public static FleetUpgradeChecker ofRanges(Repositories repositories, HostPresence presence, ReleaseRow release) {
    return new FleetUpgradeChecker(repositories, presence, release);
  }

  /// Reads the failures and pins of the devices with names from `first` to `last`, and forgets those of others.
  public void useRange(String first, String last) {
    failedBefore.clear();
    pins.clear();
    addFailures(repositories.failures().listFailuresSinceSuccess(release.tenant(), release.release(), first, last));
    addPins(repositories.pins().listOfDevices(release.tenant(), first, last));
  }

  /// As [#load], and what is offered to hosts counts too, as at the start of an upgrade.
  public static FleetUpgradeChecker loadWithOffers(
      Repositories repositories, HostPresence presence, ReleaseRow release) {
    FleetUpgradeChecker checker = load(repositories, presence, release);
    checker.useOffers(repositories.hostOffers().findOfPackage(release.tenant(), release.release().packageName()));
    return checker;
  }

  /// Takes offered updates into account from now on. Without them a device that runs the release has nothing to
  /// install.
  public void useOffers(Map<HostId, OfferedUpdates> found) {
    offers = Map.copyOf(found);
  }

  /// Returns what the host says is offered; empty if it does not say, or offers are not used.
  public Optional<OfferedUpdates> offer(HostId host) {
    return Optional.ofNullable(offers.get(host));
  }

  private void addFailures(List<DeviceFailure> failures) {
    for (DeviceFailure failure : failures) {
      failedBefore.put(
          failure.device(), DeviceFactsLoader.describeFailure(failure.id(), failure.outcome(), failure.reasonText()));
    }
  }

  private void addPins(List<PinRow> rows) {
    rows.forEach(row -> pins.computeIfAbsent(row.device(), _ -> new ArrayList<>(1)).add(row.pin()));
  }

  /// Returns what the workflow would decide at its start.
  ///
  /// @param hostFacts of the device, by [#hostFacts]
  public UpgradeCheck check(DeviceRow device, List<DeviceFacts.HostFacts> hostFacts, boolean allowDowngrade) {
    return UpgradeCheck.of(
        new RequestedUpgrade(release.release(), false, allowDowngrade),
        new DeviceFacts(
            hostFacts,
            release.kind(),
            release.sequence(),
            installsOver,
            device.activeHold(Instant.now()).map(FleetUpgradeChecker::describe),
            Optional.ofNullable(failedBefore.get(device.id().name())),
            Optional.empty(),
            DeviceFactsLoader.pinFacts(
                pins.getOrDefault(device.id().name(), List.of()),
                release.release().packageName(),
                this::allowsHoldOverride,
                Instant.now())));
  }

  private boolean allowsHoldOverride() {
    if (holdOverride.isEmpty()) {
      holdOverride =
          Optional.of(repositories.tenants().find(release.tenant()).map(TenantRow::allowHoldOverride).orElse(false));
    }
    return holdOverride.get();
  }

  /// Returns when a hold of the device or a pin of the package ends by itself, the first one that does.
  public Optional<Instant> keptUntil(DeviceRow device, Instant now) {
    Stream<Instant> ofHold = device.activeHold(now).flatMap(Hold::until).stream();
    Stream<Instant> ofPins =
        pins.getOrDefault(device.id().name(), List.of()).stream()
            .filter(pin -> pin.packageName().equals(release.release().packageName()) && pin.isActiveAt(now))
            .flatMap(pin -> pin.until().stream());
    return Stream.concat(ofHold, ofPins).min(Comparator.naturalOrder());
  }

  /// Returns what the hosts of a device run that take part.
  public List<DeviceFacts.HostFacts> hostFacts(DeviceRow device, List<HostSoftware> hosts) {
    return ParticipatingHosts.of(device.hosts(), hosts, release.release().packageName()).stream()
        .map(host -> host(host, hosts))
        .toList();
  }

  /// For people.
  public static String describe(Hold hold) {
    return DeviceFactsLoader.describe(hold);
  }

  private DeviceFacts.HostFacts host(HostId host, List<HostSoftware> rows) {
    DeviceFacts.HostFacts found =
        DeviceFactsLoader.host(
            host,
            release.release().packageName(),
            rows.stream().filter(row -> row.host().equals(host)).findFirst(),
            presence.activeInstance(release.tenant(), host),
            of ->
                sequences.computeIfAbsent(
                    of, each -> repositories.releases().find(release.tenant(), each).map(ReleaseRow::sequence)));
    return presence
        .describeDuplicates(release.tenant(), host)
        .map(found::asDuplicate)
        .orElse(found)
        .withOffer(offer(host));
  }
}
