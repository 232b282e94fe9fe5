package dev.uplift.cli.upgrade;

import dev.uplift.cli.text.Terminal;
import dev.uplift.cli.text.Text;
import dev.uplift.cli.upgrade.UpgradeView.StepView;
import dev.uplift.cli.upgrade.UpgradeView.WaitView;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// A line for each thing that happened to an upgrade since it was last looked at. Nothing is said
/// twice.
public final class EventLines {
  private static final DateTimeFormatter CLOCK = DateTimeFormatter.ofPattern("HH:mm:ss");

  private final Terminal terminal;
  private final Set<String> said = new HashSet<>();

  public EventLines(Terminal terminal) {
    this.terminal = terminal;
  }

  public List<String> since(UpgradeView now) {
    List<String> lines = new ArrayList<>();
    for (StepView step : now.steps()) {
      if (step.isSettled() && said.add(step.id())) {
        lines.add(line(step.settledAt(), now, step.host(), step.step() + ": " + ending(step)));
      }
    }
    for (WaitView wait : now.waits()) {
      if (said.add(wait.host() + wait.step() + wait.sentence())) {
        lines.add(line(wait.since(), now, wait.host(), terminal.dim(wait.sentence())));
      }
    }
    if (now.hasEnded() && said.add("ended")) {
      lines.add(line(now.endedAt(), now, "", ending(now)));
    }
    return lines;
  }

  private String ending(StepView step) {
    String took =
        step.sentAt()
            .flatMap(sent -> step.settledAt().map(settled -> Duration.between(sent, settled)))
            .map(time -> " (" + Text.of(time) + ")")
            .orElse("");
    if (step.said().equals("error")) {
      return terminal.red(step.text()) + took;
    }
    return step.said() + took;
  }

  private String ending(UpgradeView ended) {
    String what = ended.release() + ": " + ended.outcome();
    String why = ended.reason().isEmpty() ? "" : " (" + ended.reason() + ")";
    return terminal.bold(ended.isThere() ? terminal.green(what) : terminal.yellow(what)) + why;
  }

  private static String line(
      java.util.Optional<Instant> at, UpgradeView now, String host, String what) {
    LocalTime time = LocalTime.ofInstant(at.orElseGet(Instant::now), ZoneId.systemDefault());
    String where = host.isEmpty() || host.equals(now.device()) ? "" : host + "  ";
    return CLOCK.format(time) + "  " + Text.pad(now.device(), 14) + "  " + where + what;
  }
}
