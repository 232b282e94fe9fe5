package dev.uplift.services.upgrade;

import dev.uplift.fleet.DeviceFacts;
import dev.uplift.fleet.DeviceId;
import dev.uplift.fleet.HostId;
import dev.uplift.fleet.Release;
import dev.uplift.fleet.RequestedUpgrade;
import dev.uplift.fleet.UpgradeCheck;
import dev.uplift.services.Repositories;
import dev.uplift.services.presence.Presence;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/// Predicts what the workflow of an upgrade would decide at its start, from the same facts by the
/// same rule. The facts may change before it starts.
@Singleton
public final class UpgradePreview {
  private final DeviceFactsLoader factsLoader;

  public UpgradePreview(Repositories repositories, Presence presence) {
    this.factsLoader = new DeviceFactsLoader(repositories, presence);
  }

  /// Returns empty if the release does not exist.
  public Optional<UpgradeCheck> check(
      DeviceId device, List<HostId> hosts, RequestedUpgrade requested) {
    return check(device, hosts, requested.release(), facts -> UpgradeCheck.of(requested, facts));
  }

  /// As [#check], for reverting a finished upgrade to `release`.
  ///
  /// @param versionsBefore what each host ran before that upgrade, where it is recorded
  public Optional<UpgradeCheck> checkRevert(
      DeviceId device, List<HostId> hosts, Release release, Map<HostId, String> versionsBefore) {
    return check(
        device, hosts, release, facts -> UpgradeCheck.ofRevert(release, versionsBefore, facts));
  }

  private Optional<UpgradeCheck> check(
      DeviceId device,
      List<HostId> hosts,
      Release release,
      Function<DeviceFacts, UpgradeCheck> rule) {
    return factsLoader
        .findRelease(device.tenant(), release)
        .map(row -> rule.apply(factsLoader.load(device, hosts, row)));
  }
}
