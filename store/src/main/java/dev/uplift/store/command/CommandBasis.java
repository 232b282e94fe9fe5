package dev.uplift.store.command;

import java.time.Instant;
import java.util.Optional;

/// What a command is created with.
///
/// @param id a random one, for a command that has none of its own
/// @param epoch higher than that of any command to this host, ever
/// @param now when it is issued
/// @param rootVersion of the tenant's newest trust root, whose keys hosts accept; 0 if there is none
/// @param release the one that was asked for; empty if it is not recorded, or none was
public record CommandBasis(String id, long epoch, Instant now, long rootVersion, Optional<CommandRelease> release) {}
