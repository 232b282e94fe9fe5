package dev.uplift.services.policy;

import dev.uplift.fleet.Release;
import dev.uplift.fleet.policy.PolicyTarget;
import dev.uplift.fleet.policy.ResolvedTarget;
import dev.uplift.services.trust.TrustRoots;
import dev.uplift.store.release.ReleaseChannelRepository;
import dev.uplift.store.release.ReleaseChannelRow;
import dev.uplift.store.release.ReleaseRepository;
import dev.uplift.store.release.ReleaseRow;
import java.util.Optional;

/// Finds the release that the target of a policy means now.
final class TargetResolver {
  private final ReleaseRepository releases;
  private final ReleaseChannelRepository channels;
  private final TrustRoots trustRoots;

  TargetResolver(ReleaseRepository releases, ReleaseChannelRepository channels, TrustRoots trustRoots) {
    this.releases = releases;
    this.channels = channels;
    this.trustRoots = trustRoots;
  }

  /// The release of a target, or why there is none.
  sealed interface Resolution {
    /// There is one.
    record Found(ResolvedTarget target, ReleaseRow release) implements Resolution {}

    /// There is none.
    ///
    /// @param reason for people
    record NoRelease(String reason) implements Resolution {}

    /// Returns the target; empty if there is none.
    default Optional<ResolvedTarget> resolved() {
      return this instanceof Found(ResolvedTarget target, _) ? Optional.of(target) : Optional.empty();
    }
  }

  Resolution resolve(String tenant, String packageName, PolicyTarget target) {
    return switch (target) {
      case PolicyTarget.Exactly(String version) -> find(tenant, new Release(packageName, version), false);
      case PolicyTarget.AtLeast(String version) -> find(tenant, new Release(packageName, version), true);
      case PolicyTarget.Offered() ->
          releases
              .findNewest(tenant, packageName)
              .map(newest -> resolve(newest, false, true))
              .orElseGet(() ->
                  new Resolution.NoRelease(
                      "no release of %s is published, which would bring what is offered".formatted(packageName)));
      case PolicyTarget.Channel(String name) ->
          channels
              .find(tenant, packageName, name)
              .map(ReleaseChannelRow::release)
              .map(release -> find(tenant, release, false))
              .orElseGet(() ->
                  new Resolution.NoRelease("%s has no channel %s; point it at a release".formatted(packageName, name)));
    };
  }

  private Resolution find(String tenant, Release release, boolean orNewer) {
    return releases
        .find(tenant, release)
        .map(row -> resolve(row, orNewer, false))
        .orElseGet(() -> new Resolution.NoRelease("%s is not published".formatted(release)));
  }

  private Resolution resolve(ReleaseRow row, boolean orNewer, boolean offered) {
    return trustRoots
        .untrustedReason(row)
        .<Resolution>map(Resolution.NoRelease::new)
        .orElseGet(
            () -> new Resolution.Found(new ResolvedTarget(row.release(), row.sequence(), orNewer, offered), row));
  }
}
