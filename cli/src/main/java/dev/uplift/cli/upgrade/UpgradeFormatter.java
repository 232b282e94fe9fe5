package dev.uplift.cli.upgrade;

import dev.uplift.cli.text.Table;
import dev.uplift.cli.text.TextFormat;
import dev.uplift.cli.upgrade.UpgradeResponse.Host;
import dev.uplift.cli.upgrade.UpgradeResponse.Step;
import dev.uplift.cli.upgrade.UpgradeResponse.Wait;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Formats one upgrade with all details.
final class UpgradeFormatter {
  private static final int LOG_LINES = 10;

  private UpgradeFormatter() {}

  static String of(UpgradeResponse upgrade) {
    List<String> parts = new ArrayList<>();
    parts.add(header(upgrade).toString());
    Table hosts = new Table("HOST", "PROGRESS", "VERSION");
    for (Host host : upgrade.hosts()) {
      hosts.addRow(host.host(), host.progress(), host.version());
    }
    parts.add(hosts.toString());
    for (Wait wait : upgrade.waits()) {
      parts.add("waiting: %s %s: %s".formatted(wait.host(), wait.step(), wait.message()));
    }
    if (!upgrade.steps().isEmpty()) {
      parts.add(timeline(upgrade).toString());
    }
    upgrade.steps().stream()
        .filter(step -> step.hasFailed() && !step.log().isEmpty())
        .forEach(step -> parts.add(failedLog(upgrade, step)));
    return String.join("\n\n", parts);
  }

  private static Table header(UpgradeResponse upgrade) {
    Table head = new Table("UPGRADE", upgrade.id());
    head.addRow("device", upgrade.device());
    head.addRow("release", upgrade.release());
    head.addRow("state", upgrade.hasEnded() ? upgrade.outcome() : upgrade.phase());
    head.addRow("reason", upgrade.reason());
    if (!upgrade.pausedBy().isEmpty()) {
      head.addRow("paused by", upgrade.pausedBy());
    }
    if (!upgrade.failingWorkflow().isEmpty()) {
      head.addRow("stopped", upgrade.failingWorkflow());
    }
    head.addRow("started", time(upgrade.startedAt()));
    head.addRow("ended", time(upgrade.endedAt()));
    if (!upgrade.stepTimeouts().isEmpty()) {
      head.addRow("time-outs", upgrade.stepTimeouts());
    }
    head.addRow("Temporal", upgrade.temporalLink());
    return head;
  }

  private static Table timeline(UpgradeResponse upgrade) {
    Table timeline = new Table("SENT", "CLOSED", "HOST", "STEP", "RESULT", "MESSAGE");
    for (Step step : upgrade.steps()) {
      timeline.addRow(
          time(step.sentAt()), time(step.finishedAt()), step.host(), step.step(), step.result(), step.text());
    }
    return timeline;
  }

  private static String failedLog(UpgradeResponse upgrade, Step step) {
    List<String> lines = step.log().lines().toList();
    List<String> tail = lines.subList(Math.max(0, lines.size() - LOG_LINES), lines.size());
    String heading = "log of %s on %s".formatted(step.step(), step.host());
    String more =
        tail.size() == lines.size()
            ? ":"
            : ", the last %d of %d lines (all of it: uplift upgrade log %s --host %s --step %s):"
                .formatted(tail.size(), lines.size(), upgrade.id(), step.host(), step.step());
    return heading + more + "\n" + TextFormat.indent(String.join("\n", tail));
  }

  private static String time(Optional<Instant> time) {
    return time.map(TextFormat::time).orElse("");
  }
}
