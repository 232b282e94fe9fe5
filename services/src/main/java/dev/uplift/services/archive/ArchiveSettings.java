package dev.uplift.services.archive;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/// The folder of the archive, and the ages at which records move there.
///
/// @param folder of the files; empty to archive nothing
/// @param after age of upgrades, rollouts and barriers since their end
/// @param auditAfter age of entries of the audit log
public record ArchiveSettings(Optional<Path> folder, Duration after, Duration auditAfter) {
  /// Nothing is archived.
  public static final ArchiveSettings NONE =
      new ArchiveSettings(Optional.empty(), Duration.ofDays(400), Duration.ofDays(1095));
}
