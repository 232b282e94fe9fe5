package dev.uplift.cli.rollout;

import dev.uplift.cli.rest.CliException;
import dev.uplift.cli.rest.RestClient;
import dev.uplift.cli.rest.ServerSentEvents;
import dev.uplift.cli.text.Screen;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import tools.jackson.databind.JsonNode;

/// Follows one rollout, and shows what happens.
public final class RolloutWatcher {
  private static final int RECENT_DECISIONS = 20;

  private final RestClient rest;
  private final Screen screen;
  private final Duration reconnectDelay;
  private final RolloutProgressBlock block;
  private final RolloutEventLines lines = new RolloutEventLines();
  private String lastEventId = "";
  private Optional<RolloutResponse> latest = Optional.empty();

  /// @param reconnectDelay before it comes back where no server answers
  public RolloutWatcher(RestClient rest, Screen screen, Duration reconnectDelay) {
    this.rest = rest;
    this.screen = screen;
    this.reconnectDelay = reconnectDelay;
    this.block = new RolloutProgressBlock(screen.terminal());
  }

  /// Returns it as it ended. For as long as no server answers it comes back and goes on where it
  /// was: a rollout goes on without the one who watches it.
  public RolloutResponse awaitEnd(String id) {
    return awaitState(id, RolloutResponse::hasEnded);
  }

  /// The same, and returns it also as soon as it is as somebody waits for it to be. May be called
  /// again to go on from there.
  public RolloutResponse awaitState(String id, Predicate<RolloutResponse> wanted) {
    Predicate<RolloutResponse> there = wanted.or(RolloutResponse::hasEnded);
    String path = "rollouts/" + RestClient.pathSegment(id);
    while (true) {
      try {
        printRecentDecisions(path);
        if (followEvents(path, there)) {
          screen.keepBlock();
          return RolloutResponse.of(rest.get(path));
        }
      } catch (CliException failed) {
        if (failed.exitCode() != CliException.UNREACHABLE) {
          throw failed;
        }
      }
      rest();
    }
  }

  /// Says what was decided of late, once; then hears what is to come.
  private void printRecentDecisions(String path) {
    if (lastEventId.isEmpty()) {
      List<JsonNode> decided =
          rest.get(path + "/decisions?limit=" + RECENT_DECISIONS)
              .path("items")
              .valueStream()
              .toList();
      lines.decisions(decided).forEach(screen::printLine);
      lastEventId = decided.isEmpty() ? "0" : decided.getFirst().path("number").asString("0");
    }
  }

  /// Returns whether it is as it was waited for; not so where the connection broke.
  private boolean followEvents(String path, Predicate<RolloutResponse> there) {
    if (latest.filter(there).isPresent()) {
      return true;
    }
    try (ServerSentEvents serverSentEvents = rest.subscribe(path + "/events", lastEventId)) {
      for (Optional<ServerSentEvents.Event> next = serverSentEvents.next();
          next.isPresent();
          next = serverSentEvents.next()) {
        handleEvent(next.get());
        lastEventId = next.get().id();
        if (latest.filter(there).isPresent()) {
          return true;
        }
      }
      return serverSentEvents.hasEnded();
    }
  }

  private void handleEvent(ServerSentEvents.Event event) {
    if (event.name().equals("decision")) {
      lines.decisions(List.of(event.json())).forEach(screen::printLine);
      return;
    }
    RolloutResponse rollout = RolloutResponse.of(event.json());
    latest = Optional.of(rollout);
    if (screen.terminal().supportsRedraw()) {
      screen.drawBlock(block.lines(rollout));
    } else {
      lines.linesSince(rollout).forEach(screen::printLine);
    }
  }

  private void rest() {
    try {
      Thread.sleep(reconnectDelay);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CliException(CliException.FAILED, "interrupted", e);
    }
  }
}
