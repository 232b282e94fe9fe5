package dev.uplift.cli.rollout;

import dev.uplift.cli.rest.CommandFailed;
import dev.uplift.cli.rest.Events;
import dev.uplift.cli.rest.Rest;
import dev.uplift.cli.text.Screen;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import tools.jackson.databind.JsonNode;

/// Follows one rollout, and shows what happens.
public final class RolloutWatch {
  private static final int NEWEST = 20;

  private final Rest rest;
  private final Screen screen;
  private final Duration pause;
  private final RolloutBlock block;
  private final RolloutLines lines = new RolloutLines();
  private String heard = "";
  private Optional<RolloutView> seen = Optional.empty();

  /// @param pause before it comes back where no server answers
  public RolloutWatch(Rest rest, Screen screen, Duration pause) {
    this.rest = rest;
    this.screen = screen;
    this.pause = pause;
    this.block = new RolloutBlock(screen.terminal());
  }

  /// Returns it as it ended. For as long as no server answers it comes back and goes on where it
  /// was: a rollout goes on without the one who watches it.
  public RolloutView untilEnded(String id) {
    return until(id, RolloutView::hasEnded);
  }

  /// The same, and returns it also as soon as it is as somebody waits for it to be. May be called
  /// again to go on from there.
  public RolloutView until(String id, Predicate<RolloutView> wanted) {
    Predicate<RolloutView> there = wanted.or(RolloutView::hasEnded);
    String path = "rollouts/" + Rest.segment(id);
    while (true) {
      try {
        begin(path);
        if (follow(path, there)) {
          screen.keep();
          return RolloutView.of(rest.get(path));
        }
      } catch (CommandFailed failed) {
        if (failed.exitCode() != CommandFailed.UNREACHABLE) {
          throw failed;
        }
      }
      rest();
    }
  }

  /// Says what was decided of late, once; then hears what is to come.
  private void begin(String path) {
    if (heard.isEmpty()) {
      List<JsonNode> decided =
          rest.get(path + "/decisions?limit=" + NEWEST).path("items").valueStream().toList();
      lines.decisions(decided).forEach(screen::say);
      heard = decided.isEmpty() ? "0" : decided.getFirst().path("number").asString("0");
    }
  }

  /// Returns whether it is as it was waited for; not so where the connection broke.
  private boolean follow(String path, Predicate<RolloutView> there) {
    if (seen.filter(there).isPresent()) {
      return true;
    }
    try (Events events = rest.listen(path + "/events", heard)) {
      for (Optional<Events.Event> next = events.next(); next.isPresent(); next = events.next()) {
        show(next.get());
        heard = next.get().id();
        if (seen.filter(there).isPresent()) {
          return true;
        }
      }
      return events.isOver();
    }
  }

  private void show(Events.Event event) {
    if (event.name().equals("decision")) {
      lines.decisions(List.of(event.json())).forEach(screen::say);
      return;
    }
    RolloutView rollout = RolloutView.of(event.json());
    seen = Optional.of(rollout);
    if (screen.terminal().redraws()) {
      screen.draw(block.lines(rollout));
    } else {
      lines.since(rollout).forEach(screen::say);
    }
  }

  private void rest() {
    try {
      Thread.sleep(pause);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CommandFailed(CommandFailed.REFUSED, "interrupted", e);
    }
  }
}
