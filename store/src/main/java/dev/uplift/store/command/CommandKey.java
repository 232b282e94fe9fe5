package dev.uplift.store.command;

import dev.uplift.fleet.HostId;
import dev.uplift.fleet.Step;

/// The key for which a command is created once.
///
/// @param generation how often the step was deliberately requested again
public record CommandKey(String tenant, String upgrade, HostId host, Step step, int generation) {}
