package dev.uplift.cli;

import dev.uplift.cli.text.Table;
import dev.uplift.cli.upgrade.UpgradeView;
import dev.uplift.cli.upgrade.UpgradeView.HostView;
import dev.uplift.cli.upgrade.UpgradeView.StepView;
import dev.uplift.cli.upgrade.UpgradeView.WaitView;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// All of one upgrade, on one page.
final class UpgradeText {
  private UpgradeText() {}

  static String of(UpgradeView upgrade) {
    List<String> parts = new ArrayList<>();
    parts.add(head(upgrade).toString());
    Table hosts = new Table("HOST", "PROGRESS", "VERSION");
    for (HostView host : upgrade.hosts()) {
      hosts.row(host.host(), host.progress(), host.version());
    }
    parts.add(hosts.toString());
    for (WaitView wait : upgrade.waits()) {
      parts.add("waits: %s %s: %s".formatted(wait.host(), wait.step(), wait.sentence()));
    }
    if (!upgrade.steps().isEmpty()) {
      parts.add(timeline(upgrade).toString());
    }
    return String.join("\n\n", parts);
  }

  private static Table head(UpgradeView upgrade) {
    Table head = new Table("UPGRADE", upgrade.id());
    head.row("device", upgrade.device());
    head.row("release", upgrade.release());
    head.row("state", upgrade.hasEnded() ? upgrade.outcome() : upgrade.phase());
    head.row("reason", upgrade.reason());
    if (!upgrade.pausedBy().isEmpty()) {
      head.row("paused by", upgrade.pausedBy());
    }
    head.row("started", time(upgrade.startedAt()));
    head.row("ended", time(upgrade.endedAt()));
    head.row("Temporal", upgrade.link());
    return head;
  }

  private static Table timeline(UpgradeView upgrade) {
    Table timeline = new Table("SENT", "ANSWERED", "HOST", "STEP", "ANSWER", "TEXT");
    for (StepView step : upgrade.steps()) {
      timeline.row(
          time(step.sentAt()),
          time(step.settledAt()),
          step.host(),
          step.step(),
          step.said(),
          step.text());
    }
    return timeline;
  }

  private static String time(Optional<Instant> time) {
    return time.map(Instant::toString).orElse("");
  }
}
