package dev.uplift.workflows.rollout;

import dev.uplift.fleet.rollout.decision.RolloutSnapshot;

/// The page of a running rollout in Temporal Web UI: where it is, in Markdown.
final class RolloutCurrentDetails {
  private RolloutCurrentDetails() {}

  static String of(RolloutStatus status) {
    RolloutSnapshot counts = status.snapshot();
    return "**%s**, %s: %d pending, %d in progress, %d succeeded, %d failed\n\n%s"
        .formatted(
            status.state(),
            counts.rules().title(),
            counts.pending() + counts.later(),
            counts.inProgress() + counts.preparing() + counts.reverting(),
            counts.succeeded(),
            counts.failed(),
            status.message().replace("|", "\\|").replaceAll("\\s+", " "));
  }
}
