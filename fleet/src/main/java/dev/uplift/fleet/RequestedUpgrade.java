package dev.uplift.fleet;

/// What somebody wants of a device, as far as it is decided whether it may be begun.
///
/// @param byPerson who may try again what failed here before; nobody else may
/// @param allowDowngrade whether a host may run a newer release than the wanted one
public record RequestedUpgrade(Release release, boolean byPerson, boolean allowDowngrade) {}
