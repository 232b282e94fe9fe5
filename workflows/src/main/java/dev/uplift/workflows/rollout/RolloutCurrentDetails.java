package dev.uplift.workflows.rollout;

/// What Temporal Web UI shows of a running rollout: where it is, in one line.
final class RolloutCurrentDetails {
  /// Before the first tick has returned.
  static final String STARTING =
      "**running**: the heartbeat of the pending activity `tick` says where it is";

  private RolloutCurrentDetails() {}

  /// Markdown.
  static String of(RolloutProgress found) {
    return "**%s**, wave %d of %d: %d to come, %d in work, %d done, %d failed\n\n%s"
        .formatted(
            found.state(),
            found.wave(),
            found.waves(),
            found.pending(),
            found.inProgress(),
            found.succeeded(),
            found.failed(),
            found.message().replace("|", "\\|").replaceAll("\\s+", " "));
  }
}
