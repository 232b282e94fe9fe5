package dev.uplift.cli.upgrade;

import dev.uplift.cli.text.Terminal;
import dev.uplift.cli.text.TextFormat;
import dev.uplift.cli.upgrade.UpgradeResponse.Step;
import dev.uplift.cli.upgrade.UpgradeResponse.Wait;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Formats a line for each event of upgrades since the previous call, in chronological order. Each event is printed
/// once.
public final class UpgradeEventLines {
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
    // Stable: events of the same instant keep their order.
    events.sort((a, b) -> a.at().compareTo(b.at()));
    return events.stream().map(Event::line).toList();
  }

  private void add(List<Event> events, UpgradeResponse upgrade, Step step) {
    if (step.sentAt().isPresent() && markPrinted(upgrade, step.id() + " sent")) {
      events.add(event(step.sentAt(), upgrade, step.host(), step.step() + ": sent"));
    }
    if (step.isFinished() && markPrinted(upgrade, step.id() + " closed")) {
      events.add(event(step.finishedAt(), upgrade, step.host(), step.step() + ": " + describeEnd(step)));
    }
  }

  private void add(List<Event> events, UpgradeResponse upgrade, Wait wait) {
    // The result of a sent command is awaited anyway.
    if (!wait.isForHostResult() && markPrinted(upgrade, wait.host() + wait.message())) {
      String line = terminal.dim("waiting for " + wait.message());
      events.add(event(wait.since(), upgrade, wait.host(), line));
    }
  }

  private boolean markPrinted(UpgradeResponse upgrade, String event) {
    return printed.add(upgrade.id() + " " + event);
  }

  private String describeEnd(Step step) {
    String duration =
        step.sentAt()
            .flatMap(sent -> step.finishedAt().map(finished -> Duration.between(sent, finished)))
            .map(time -> " (" + TextFormat.formatDuration(time) + ")")
            .orElse("");
    return (step.result().equals("error") ? terminal.red(step.text()) : step.result()) + duration;
  }

  private String describeEnd(UpgradeResponse ended) {
    String result = ended.release() + ": " + ended.outcome();
    String reason = ended.reason().isEmpty() ? "" : " (" + ended.reason() + ")";
    return terminal.bold(ended.hasSucceeded() ? terminal.green(result) : terminal.yellow(result)) + reason;
  }

  private static Event event(Optional<Instant> time, UpgradeResponse upgrade, String host, String text) {
    Instant at = time.orElseGet(Instant::now);
    String where = host.isEmpty() || host.equals(upgrade.device()) ? "" : host + "  ";
    return new Event(
        at, TextFormat.timeOfDay(at) + "  " + TextFormat.pad(upgrade.device(), NAME_WIDTH) + "  " + where + text);
  }
}
