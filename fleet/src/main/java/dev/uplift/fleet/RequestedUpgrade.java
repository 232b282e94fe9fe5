package dev.uplift.fleet;

/// The part of an upgrade request that decides whether the upgrade may begin.
///
/// @param byPerson whether a person started it, who may repeat what failed here before
/// @param allowDowngrade whether a host may run a newer release than the requested one
public record RequestedUpgrade(Release release, boolean byPerson, boolean allowDowngrade) {}
