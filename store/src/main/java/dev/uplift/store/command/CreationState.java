package dev.uplift.store.command;

import io.micronaut.core.annotation.Introspected;
import org.jspecify.annotations.Nullable;

/// What decides whether a command is created.
///
/// @param epoch of the host, which the command would have
/// @param command the id of the command if there is one
/// @param outcome of its upgrade; null while that runs, or if it is not in the records
/// @param rootVersion of the newest trust root, which the command would be signed for; 0 if there is none
@Introspected
record CreationState(long epoch, @Nullable String command, @Nullable String outcome, long rootVersion) {}
