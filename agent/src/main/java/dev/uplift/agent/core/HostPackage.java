package dev.uplift.agent.core;

import dev.uplift.agent.driver.Driver;

/// A package of this host.
///
/// @param kind of the releases that it takes
public record HostPackage(String kind, Driver driver) {}
