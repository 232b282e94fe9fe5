package dev.uplift.fleet.policy;

import dev.uplift.fleet.Release;

/// The release that a target means now.
///
/// @param orNewer whether a release with a higher sequence will do
public record ResolvedTarget(Release release, long sequence, boolean orNewer) {
  /// Returns whether a device that gets the release of `other` is as this target asks.
  public boolean isMetBy(ResolvedTarget other) {
    return orNewer ? other.sequence() >= sequence : other.release().equals(release);
  }
}
