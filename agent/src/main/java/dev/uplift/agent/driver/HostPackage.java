package dev.uplift.agent.driver;

/// A package of this host.
///
/// @param kind of the releases that it takes
public record HostPackage(String kind, Driver driver) {}
