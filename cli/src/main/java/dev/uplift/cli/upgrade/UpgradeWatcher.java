package dev.uplift.cli.upgrade;

import dev.uplift.cli.rest.CliException;
import dev.uplift.cli.rest.RestClient;
import dev.uplift.cli.rest.Sleeper;
import dev.uplift.cli.text.Screen;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/// Follows upgrades until all of them have ended, and shows their progress.
public final class UpgradeWatcher {
  private static final Duration POLL_INTERVAL = Duration.ofMillis(300);

  private final RestClient rest;
  private final Screen screen;
  private final UpgradeProgressBlock block;
  private final UpgradeEventLines events;

  public UpgradeWatcher(RestClient rest, Screen screen) {
    this.rest = rest;
    this.screen = screen;
    this.block = new UpgradeProgressBlock(screen.terminal());
    this.events = new UpgradeEventLines(screen.terminal());
  }

  /// Blocks until all have ended and returns them in the order of the ids. Retries while no server responds, because
  /// upgrades continue without their watcher.
  public List<UpgradeResponse> awaitEnd(List<String> ids, Duration timeout) {
    Instant deadline = Instant.now().plus(timeout);
    while (true) {
      List<UpgradeResponse> now = fetch(ids);
      if (screen.terminal().supportsRedraw()) {
        screen.drawBlock(block.lines(now, Instant.now()));
      } else {
        events.linesSince(now).forEach(screen::printLine);
      }
      if (now.size() == ids.size() && now.stream().allMatch(UpgradeResponse::hasEnded)) {
        screen.keepBlock();
        return now;
      }
      if (Instant.now().isAfter(deadline)) {
        throw new CliException(CliException.FAILED, "not ended within " + timeout.toSeconds() + " s");
      }
      Sleeper.sleep(POLL_INTERVAL);
    }
  }

  private List<UpgradeResponse> fetch(List<String> ids) {
    List<UpgradeResponse> found = new ArrayList<>();
    try {
      for (String id : ids) {
        found.add(UpgradeResponse.of(rest.get("upgrades/" + RestClient.pathSegment(id))));
      }
    } catch (CliException failed) {
      if (failed.exitCode() != CliException.UNREACHABLE) {
        throw failed;
      }
    }
    return found;
  }
}
