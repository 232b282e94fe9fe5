package dev.uplift.cli.upgrade;

import dev.uplift.cli.text.Terminal;
import dev.uplift.cli.text.TextFormat;
import dev.uplift.cli.upgrade.UpgradeResponse.Host;
import dev.uplift.cli.upgrade.UpgradeResponse.Wait;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Formats upgrades for redrawing in place: a line per device, and below it one per host.
public final class UpgradeProgressBlock {
  private static final int STEP_WIDTH = 17;
  private static final int TIME_WIDTH = 8;

  private final Terminal terminal;

  public UpgradeProgressBlock(Terminal terminal) {
    this.terminal = terminal;
  }

  public List<String> lines(List<UpgradeResponse> upgrades, Instant now) {
    int names =
        upgrades.stream()
            .flatMap(upgrade -> upgrade.hosts().stream())
            .mapToInt(host -> host.host().length())
            .max()
            .orElse(0);
    List<String> lines = new ArrayList<>();
    for (UpgradeResponse upgrade : upgrades) {
      lines.add(header(upgrade, now));
      upgrade.hosts().forEach(host -> lines.add(hostLine(upgrade, host, names, now)));
      if (!upgrade.reason().isEmpty()) {
        lines.add(terminal.red(TextFormat.truncate("    " + upgrade.reason(), terminal.width())));
      }
    }
    return lines;
  }

  private String header(UpgradeResponse upgrade, Instant now) {
    String duration =
        upgrade
            .startedAt()
            .map(start -> Duration.between(start, upgrade.endedAt().orElse(now)))
            .map(time -> "  " + TextFormat.formatDuration(time))
            .orElse("");
    String state = upgrade.hasEnded() ? upgrade.outcome() : upgrade.phase();
    String text = upgrade.device() + "  " + upgrade.release() + "  " + state + duration;
    return terminal.bold(colored(upgrade, TextFormat.truncate(text, terminal.width())));
  }

  private String colored(UpgradeResponse upgrade, String text) {
    if (!upgrade.hasEnded()) {
      return text;
    }
    return upgrade.hasSucceeded() ? terminal.green(text) : terminal.yellow(text);
  }

  private String hostLine(UpgradeResponse upgrade, Host host, int names, Instant now) {
    Optional<Wait> wait = upgrade.waits().stream().filter(one -> one.host().equals(host.host())).findFirst();
    String status = wait.map(one -> describeWait(upgrade, one, now)).orElseGet(() -> describeProgress(host));
    String text =
        "  " + statusSymbol(host, wait.isPresent()) + " " + TextFormat.pad(host.host(), names) + "  " + status;
    return TextFormat.truncate(text, terminal.width());
  }

  private static String describeWait(UpgradeResponse upgrade, Wait wait, Instant now) {
    String time = wait.since().map(since -> TextFormat.formatDuration(Duration.between(since, now))).orElse("");
    return TextFormat.pad(wait.step(), STEP_WIDTH) + TextFormat.pad(time, TIME_WIDTH) + waitDetail(upgrade, wait);
  }

  private static String waitDetail(UpgradeResponse upgrade, Wait wait) {
    String silent = wait.presence().equals("silent") ? "  (the host is silent)" : "";
    return wait.isForHostResult()
        ? upgrade.stepProgress(wait.host(), wait.step()) + silent
        : "waiting for " + wait.message() + silent;
  }

  private static String describeProgress(Host host) {
    return TextFormat.pad(host.progress(), STEP_WIDTH + TIME_WIDTH) + host.version();
  }

  private static String statusSymbol(Host host, boolean isWaiting) {
    if (isWaiting) {
      return "▸";
    }
    return switch (host.progress()) {
      case "upgraded" -> "✓";
      case "rolled-back" -> "↺";
      case "stranded" -> "✗";
      default -> "·";
    };
  }
}
