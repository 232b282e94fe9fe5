package dev.uplift.store.command;

import dev.uplift.fleet.HostId;
import dev.uplift.fleet.Step;

/// What a command is minted once for.
///
/// @param generation how often the step was ordered anew on purpose
public record CommandKey(String tenant, String upgrade, HostId host, Step step, int generation) {}
