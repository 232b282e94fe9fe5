package dev.uplift.cli.rollout;

import java.util.UUID;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// What a new rollout is called.
final class RolloutIdOption {
  private static final int ID_CHARS = 12;

  @Option(
      names = "--id",
      paramLabel = "ID",
      description = "The rollout's id: the same once more is the same rollout.")
  @Nullable String id;

  /// The id that was wished for, or a new one.
  String idOrGenerated() {
    return id == null
        ? "r" + UUID.randomUUID().toString().replace("-", "").substring(0, ID_CHARS)
        : id;
  }
}
