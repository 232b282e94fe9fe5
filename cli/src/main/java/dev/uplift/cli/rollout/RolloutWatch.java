package dev.uplift.cli.rollout;

import dev.uplift.cli.rest.CommandFailed;
import dev.uplift.cli.rest.Rest;
import dev.uplift.cli.text.Screen;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import tools.jackson.databind.JsonNode;

/// Follows a rollout until it has ended, and shows what happens.
public final class RolloutWatch {
  private static final int NEWEST = 20;

  private final Rest rest;
  private final Screen screen;
  private final Duration pause;
  private final RolloutBlock block;
  private final RolloutLines lines = new RolloutLines();

  /// @param pause between two looks
  public RolloutWatch(Rest rest, Screen screen, Duration pause) {
    this.rest = rest;
    this.screen = screen;
    this.pause = pause;
    this.block = new RolloutBlock(screen.terminal());
  }

  /// What a rollout is at one moment.
  private record Look(RolloutView rollout, List<JsonNode> decided) {}

  /// Returns it as it ended. For as long as no server answers it asks again: a rollout goes on
  /// without the one who watches it.
  public RolloutView untilEnded(String id) {
    return until(id, RolloutView::hasEnded);
  }

  /// The same, and returns it also as soon as it is as somebody waits for it to be. May be called
  /// again to go on from there.
  public RolloutView until(String id, Predicate<RolloutView> wanted) {
    while (true) {
      Optional<Look> look = look("rollouts/" + Rest.segment(id));
      look.ifPresent(this::show);
      Optional<RolloutView> there =
          look.map(Look::rollout).filter(wanted.or(RolloutView::hasEnded));
      if (there.isPresent()) {
        screen.keep();
        return there.get();
      }
      rest();
    }
  }

  private void show(Look look) {
    if (screen.terminal().redraws()) {
      lines.decisions(look.decided()).forEach(screen::say);
      screen.draw(block.lines(look.rollout()));
    } else {
      lines.since(look.rollout(), look.decided()).forEach(screen::say);
    }
  }

  private Optional<Look> look(String path) {
    try {
      RolloutView rollout = RolloutView.of(rest.get(path));
      List<JsonNode> decided =
          rest.get(path + "/decisions?limit=" + NEWEST).path("items").valueStream().toList();
      return Optional.of(new Look(rollout, decided));
    } catch (CommandFailed failed) {
      if (failed.exitCode() != CommandFailed.UNREACHABLE) {
        throw failed;
      }
      return Optional.empty();
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
