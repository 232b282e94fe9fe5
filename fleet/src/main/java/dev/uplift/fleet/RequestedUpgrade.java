package dev.uplift.fleet;

/// The part of an upgrade request that decides whether the upgrade may begin.
///
/// @param byPerson whether a person started it, who may repeat what failed here before
/// @param allowDowngrade whether a host may run a newer release than the requested one
/// @param overridesPins whether a person installs it although the package is pinned, where that is allowed
public record RequestedUpgrade(Release release, boolean byPerson, boolean allowDowngrade, boolean overridesPins) {
  /// An upgrade that respects pins.
  public RequestedUpgrade(Release release, boolean byPerson, boolean allowDowngrade) {
    this(release, byPerson, allowDowngrade, false);
  }
}
