package dev.uplift.cli.upgrade;

import dev.uplift.cli.text.Terminal;
import dev.uplift.cli.text.Text;
import dev.uplift.cli.upgrade.UpgradeView.HostView;
import dev.uplift.cli.upgrade.UpgradeView.WaitView;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Upgrades as lines that are drawn again: one per device, one per host below it.
public final class LiveBlock {
  private static final int STEPS = 17;
  private static final int TIMES = 8;

  private final Terminal terminal;

  public LiveBlock(Terminal terminal) {
    this.terminal = terminal;
  }

  public List<String> lines(List<UpgradeView> upgrades, Instant now) {
    int names =
        upgrades.stream()
            .flatMap(upgrade -> upgrade.hosts().stream())
            .mapToInt(host -> host.host().length())
            .max()
            .orElse(0);
    List<String> lines = new ArrayList<>();
    for (UpgradeView upgrade : upgrades) {
      lines.add(head(upgrade, now));
      upgrade.hosts().forEach(host -> lines.add(line(upgrade, host, names, now)));
      if (!upgrade.reason().isEmpty()) {
        lines.add(terminal.red(Text.cut("    " + upgrade.reason(), terminal.width())));
      }
    }
    return lines;
  }

  private String head(UpgradeView upgrade, Instant now) {
    String took =
        upgrade
            .startedAt()
            .map(start -> Duration.between(start, upgrade.endedAt().orElse(now)))
            .map(time -> "  " + Text.of(time))
            .orElse("");
    String state = upgrade.hasEnded() ? upgrade.outcome() : upgrade.phase();
    String text = upgrade.device() + "  " + upgrade.release() + "  " + state + took;
    return terminal.bold(painted(upgrade, Text.cut(text, terminal.width())));
  }

  private String painted(UpgradeView upgrade, String text) {
    if (!upgrade.hasEnded()) {
      return text;
    }
    return upgrade.isThere() ? terminal.green(text) : terminal.yellow(text);
  }

  private String line(UpgradeView upgrade, HostView host, int names, Instant now) {
    Optional<WaitView> wait =
        upgrade.waits().stream().filter(one -> one.host().equals(host.host())).findFirst();
    String doing = wait.map(one -> doing(upgrade, one, now)).orElseGet(() -> at(host));
    String text =
        "  " + mark(host, wait.isPresent()) + " " + Text.pad(host.host(), names) + "  " + doing;
    return Text.cut(text, terminal.width());
  }

  private static String doing(UpgradeView upgrade, WaitView wait, Instant now) {
    String time = wait.since().map(since -> Text.of(Duration.between(since, now))).orElse("");
    return Text.pad(wait.step(), STEPS) + Text.pad(time, TIMES) + what(upgrade, wait);
  }

  private static String what(UpgradeView upgrade, WaitView wait) {
    String away = wait.presence().equals("silent") ? "  (the host is silent)" : "";
    return wait.isForAnswer()
        ? upgrade.progress(wait.host(), wait.step()) + away
        : "waits for " + wait.sentence() + away;
  }

  private static String at(HostView host) {
    return Text.pad(host.progress(), STEPS + TIMES) + host.version();
  }

  private static String mark(HostView host, boolean waits) {
    if (waits) {
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
