package dev.uplift.cli.upgrade;

import dev.uplift.cli.rest.CliException;
import dev.uplift.cli.rest.RestClient;
import dev.uplift.cli.rest.ServerOutage;
import dev.uplift.cli.rest.Sleeper;
import dev.uplift.cli.text.Screen;
import dev.uplift.cli.text.TextFormat;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;

/// Follows upgrades until all of them have ended, and shows their progress.
public final class UpgradeWatcher {
  private static final Duration POLL_INTERVAL = Duration.ofMillis(300);

  private final RestClient rest;
  private final Screen screen;
  private final UpgradeProgressBlock block;
  private final UpgradeEventLines events;
  private final ServerOutage outage = new ServerOutage(InstantSource.system());
  private List<UpgradeResponse> latest = List.of();

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
      show(now);
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

  private void show(List<UpgradeResponse> now) {
    if (screen.terminal().supportsRedraw()) {
      List<String> lines = new ArrayList<>(block.lines(now, Instant.now()));
      outage
          .notice()
          .map(line -> TextFormat.truncate("  " + line, screen.terminal().width()))
          .map(screen.terminal()::red)
          .ifPresent(lines::add);
      screen.drawBlock(lines);
    } else {
      events.linesSince(now).forEach(screen::printLine);
    }
  }

  /// Returns the newest known state of those that were found; that of before while no server responds.
  private List<UpgradeResponse> fetch(List<String> ids) {
    List<UpgradeResponse> found = new ArrayList<>();
    try {
      for (String id : ids) {
        found.add(UpgradeResponse.of(rest.get("upgrades/" + RestClient.pathSegment(id))));
      }
      outage.end().ifPresent(screen::printLine);
      latest = found;
    } catch (CliException failed) {
      if (outage.begin(failed) && !screen.terminal().supportsRedraw()) {
        outage.notice().ifPresent(screen::printLine);
      }
    }
    return latest;
  }
}
