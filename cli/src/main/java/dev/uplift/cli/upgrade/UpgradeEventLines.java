package dev.uplift.cli.upgrade;

import dev.uplift.cli.text.Terminal;
import dev.uplift.cli.text.TextFormat;
import dev.uplift.cli.upgrade.UpgradeResponse.Step;
import dev.uplift.cli.upgrade.UpgradeResponse.Wait;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// A line for each thing that happened to upgrades since they were last looked at, in the order in
/// which it happened. Nothing is said twice.
public final class UpgradeEventLines {
  private static final DateTimeFormatter TIME_OF_DAY = DateTimeFormatter.ofPattern("HH:mm:ss");
  private static final int NAME_WIDTH = 14;

  private final Terminal terminal;
  private final Set<String> printed = new HashSet<>();

  public UpgradeEventLines(Terminal terminal) {
    this.terminal = terminal;
  }

  private record Event(Instant at, String line) {}

  public List<String> linesSince(List<UpgradeResponse> now) {
    List<Event> events = new ArrayList<>();
    for (UpgradeResponse upgrade : now) {
      upgrade.steps().forEach(step -> add(events, upgrade, step));
      upgrade.waits().forEach(wait -> add(events, upgrade, wait));
      if (upgrade.hasEnded() && markPrinted(upgrade, "ended")) {
        events.add(event(upgrade.endedAt(), upgrade, "", describeEnd(upgrade)));
      }
    }
    // Stable: of two things at one moment the first one said stays first.
    events.sort((a, b) -> a.at().compareTo(b.at()));
    return events.stream().map(Event::line).toList();
  }

  private void add(List<Event> events, UpgradeResponse upgrade, Step step) {
    if (step.sentAt().isPresent() && markPrinted(upgrade, step.id() + " sent")) {
      events.add(event(step.sentAt(), upgrade, step.host(), step.step() + ": ordered"));
    }
    if (step.isFinished() && markPrinted(upgrade, step.id() + " settled")) {
      events.add(
          event(step.finishedAt(), upgrade, step.host(), step.step() + ": " + describeEnd(step)));
    }
  }

  private void add(List<Event> events, UpgradeResponse upgrade, Wait wait) {
    // That an answer is awaited goes without saying once something was ordered.
    if (!wait.isForHostResult() && markPrinted(upgrade, wait.host() + wait.sentence())) {
      String line = terminal.dim("waits for " + wait.sentence());
      events.add(event(wait.since(), upgrade, wait.host(), line));
    }
  }

  private boolean markPrinted(UpgradeResponse upgrade, String what) {
    return printed.add(upgrade.id() + " " + what);
  }

  private String describeEnd(Step step) {
    String took =
        step.sentAt()
            .flatMap(sent -> step.finishedAt().map(settled -> Duration.between(sent, settled)))
            .map(time -> " (" + TextFormat.formatDuration(time) + ")")
            .orElse("");
    return (step.result().equals("error") ? terminal.red(step.text()) : step.result()) + took;
  }

  private String describeEnd(UpgradeResponse ended) {
    String what = ended.release() + ": " + ended.outcome();
    String why = ended.reason().isEmpty() ? "" : " (" + ended.reason() + ")";
    return terminal.bold(ended.hasSucceeded() ? terminal.green(what) : terminal.yellow(what)) + why;
  }

  private static Event event(
      Optional<Instant> when, UpgradeResponse upgrade, String host, String what) {
    Instant at = when.orElseGet(Instant::now);
    String time = TIME_OF_DAY.format(LocalTime.ofInstant(at, ZoneId.systemDefault()));
    String where = host.isEmpty() || host.equals(upgrade.device()) ? "" : host + "  ";
    return new Event(
        at, time + "  " + TextFormat.pad(upgrade.device(), NAME_WIDTH) + "  " + where + what);
  }
}
