package dev.uplift.agent.driver.agent;

import dev.uplift.agent.driver.Standing;
import java.util.function.BooleanSupplier;

/// The agent that this process is.
///
/// @param version of this program, as it says itself
/// @param architecture of the host, as `uname -m` says it
/// @param connected whether the server can be reached now
public record Self(
    String version, String architecture, Standing standing, BooleanSupplier connected) {}
