package dev.uplift.cli.rollout;

import java.util.UUID;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// The id of a new rollout.
final class RolloutIdOption {
  private static final int ID_CHARS = 12;

  @Option(
      names = "--id",
      paramLabel = "ID",
      description = "Id of the rollout; a repeat with the same id creates no second one.")
  @Nullable String id;

  /// Returns the given id, or a random one.
  String idOrGenerated() {
    return id == null
        ? "r" + UUID.randomUUID().toString().replace("-", "").substring(0, ID_CHARS)
        : id;
  }
}
