package dev.uplift.store.command;

import static java.util.Objects.requireNonNull;

import io.micronaut.core.annotation.Introspected;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// What decides whether a command is created.
///
/// @param epoch of the host, which the command would have
/// @param command the id of the command if there is one
/// @param outcome of its upgrade; null while that runs, or if it is not in the records
/// @param rootVersion of the newest trust root, which the command would be signed for; 0 if there is none
/// @param manifest of its release; null if that is not recorded
/// @param digest of its release; null also if that has no file
@Introspected
record CreationState(
    long epoch,
    @Nullable String command,
    @Nullable String outcome,
    long rootVersion,
    @Nullable String manifest,
    @Nullable String signature,
    @Nullable String digest) {
  Optional<CommandRelease> release() {
    return Optional.ofNullable(manifest)
        .map(text -> new CommandRelease(text, requireNonNull(signature), Optional.ofNullable(digest)));
  }
}
