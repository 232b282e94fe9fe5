package dev.uplift.cli.upgrade;

import dev.uplift.cli.rest.CommandFailed;
import dev.uplift.cli.rest.Rest;
import dev.uplift.cli.text.Screen;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/// Follows upgrades until all of them have ended, and shows what happens.
public final class Watch {
  private static final Duration PAUSE = Duration.ofMillis(300);

  private final Rest rest;
  private final Screen screen;
  private final LiveBlock block;
  private final EventLines events;

  public Watch(Rest rest, Screen screen) {
    this.rest = rest;
    this.screen = screen;
    this.block = new LiveBlock(screen.terminal());
    this.events = new EventLines(screen.terminal());
  }

  /// Returns them as they ended, in the order of the ids. For as long as a server does not answer
  /// it asks again: an upgrade goes on without the one who watches it.
  public List<UpgradeView> untilEnded(List<String> ids, Duration within) {
    Instant until = Instant.now().plus(within);
    while (true) {
      List<UpgradeView> now = look(ids);
      if (screen.terminal().redraws()) {
        screen.draw(block.lines(now, Instant.now()));
      } else {
        events.since(now).forEach(screen::say);
      }
      if (now.size() == ids.size() && now.stream().allMatch(UpgradeView::hasEnded)) {
        screen.keep();
        return now;
      }
      if (Instant.now().isAfter(until)) {
        throw new CommandFailed(
            CommandFailed.REFUSED, "not done within " + within.toSeconds() + " s");
      }
      pause();
    }
  }

  private List<UpgradeView> look(List<String> ids) {
    List<UpgradeView> found = new ArrayList<>();
    try {
      for (String id : ids) {
        found.add(UpgradeView.of(rest.get("upgrades/" + Rest.segment(id))));
      }
    } catch (CommandFailed failed) {
      if (failed.exitCode() != CommandFailed.UNREACHABLE) {
        throw failed;
      }
    }
    return found;
  }

  private static void pause() {
    try {
      Thread.sleep(PAUSE);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CommandFailed(CommandFailed.REFUSED, "interrupted", e);
    }
  }
}
