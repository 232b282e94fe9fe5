package dev.uplift.workflows.rollout;

/// What Temporal Web UI shows of a running rollout: where it is, in one line.
final class RolloutPage {
  /// Before the first tick has returned.
  static final String BEGINS =
      "**running**: the heartbeat of the pending activity `tick` says where it is";

  private RolloutPage() {}

  /// Markdown.
  static String of(Tick found) {
    return "**%s**, wave %d of %d: %d to come, %d in work, %d done, %d failed\n\n%s"
        .formatted(
            found.state(),
            found.wave(),
            found.waves(),
            found.pending(),
            found.inWork(),
            found.succeeded(),
            found.failed(),
            found.sentence().replace("|", "\\|").replaceAll("\\s+", " "));
  }
}
