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
import java.util.Optional;
import java.util.Set;

/// A line for each thing that happened to upgrades since they were last looked at, in the order in
/// which it happened. Nothing is said twice.
public final class EventLines {
  private static final DateTimeFormatter CLOCK = DateTimeFormatter.ofPattern("HH:mm:ss");
  private static final int NAMES = 14;

  private final Terminal terminal;
  private final Set<String> said = new HashSet<>();

  public EventLines(Terminal terminal) {
    this.terminal = terminal;
  }

  private record Event(Instant at, String line) {}

  public List<String> since(List<UpgradeView> now) {
    List<Event> events = new ArrayList<>();
    for (UpgradeView upgrade : now) {
      upgrade.steps().forEach(step -> add(events, upgrade, step));
      upgrade.waits().forEach(wait -> add(events, upgrade, wait));
      if (upgrade.hasEnded() && isNew(upgrade, "ended")) {
        events.add(event(upgrade.endedAt(), upgrade, "", ending(upgrade)));
      }
    }
    // Stable: of two things at one moment the first one said stays first.
    events.sort((a, b) -> a.at().compareTo(b.at()));
    return events.stream().map(Event::line).toList();
  }

  private void add(List<Event> events, UpgradeView upgrade, StepView step) {
    if (step.sentAt().isPresent() && isNew(upgrade, step.id() + " sent")) {
      events.add(event(step.sentAt(), upgrade, step.host(), step.step() + ": ordered"));
    }
    if (step.isSettled() && isNew(upgrade, step.id() + " settled")) {
      events.add(event(step.settledAt(), upgrade, step.host(), step.step() + ": " + ending(step)));
    }
  }

  private void add(List<Event> events, UpgradeView upgrade, WaitView wait) {
    // That an answer is awaited goes without saying once something was ordered.
    if (!wait.isForAnswer() && isNew(upgrade, wait.host() + wait.sentence())) {
      String line = terminal.dim("waits for " + wait.sentence());
      events.add(event(wait.since(), upgrade, wait.host(), line));
    }
  }

  private boolean isNew(UpgradeView upgrade, String what) {
    return said.add(upgrade.id() + " " + what);
  }

  private String ending(StepView step) {
    String took =
        step.sentAt()
            .flatMap(sent -> step.settledAt().map(settled -> Duration.between(sent, settled)))
            .map(time -> " (" + Text.of(time) + ")")
            .orElse("");
    return (step.said().equals("error") ? terminal.red(step.text()) : step.said()) + took;
  }

  private String ending(UpgradeView ended) {
    String what = ended.release() + ": " + ended.outcome();
    String why = ended.reason().isEmpty() ? "" : " (" + ended.reason() + ")";
    return terminal.bold(ended.isThere() ? terminal.green(what) : terminal.yellow(what)) + why;
  }

  private static Event event(
      Optional<Instant> when, UpgradeView upgrade, String host, String what) {
    Instant at = when.orElseGet(Instant::now);
    String time = CLOCK.format(LocalTime.ofInstant(at, ZoneId.systemDefault()));
    String where = host.isEmpty() || host.equals(upgrade.device()) ? "" : host + "  ";
    return new Event(at, time + "  " + Text.pad(upgrade.device(), NAMES) + "  " + where + what);
  }
}
