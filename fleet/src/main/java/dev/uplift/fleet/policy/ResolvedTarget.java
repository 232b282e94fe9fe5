package dev.uplift.fleet.policy;

import dev.uplift.fleet.Release;

/// The release that a target means now.
///
/// @param orNewer whether a release with a higher sequence will do
/// @param offered whether the release is to bring the updates that repositories of hosts offer, on any version
public record ResolvedTarget(Release release, long sequence, boolean orNewer, boolean offered) {
  /// Of a target that asks for a version.
  public ResolvedTarget(Release release, long sequence, boolean orNewer) {
    this(release, sequence, orNewer, false);
  }

  /// Returns whether a device that gets the release of `other` is as this target asks.
  public boolean isMetBy(ResolvedTarget other) {
    if (offered) {
      return other.offered() && other.release().equals(release);
    }
    return orNewer ? other.sequence() >= sequence : other.release().equals(release);
  }
}
