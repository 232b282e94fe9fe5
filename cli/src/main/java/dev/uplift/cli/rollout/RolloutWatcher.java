package dev.uplift.cli.rollout;

import dev.uplift.cli.rest.CliException;
import dev.uplift.cli.rest.RestClient;
import dev.uplift.cli.rest.ServerOutage;
import dev.uplift.cli.rest.ServerSentEvents;
import dev.uplift.cli.rest.Sleeper;
import dev.uplift.cli.text.Screen;
import dev.uplift.cli.text.TextFormat;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import tools.jackson.databind.JsonNode;

/// Follows one rollout and shows its progress.
public final class RolloutWatcher {
  private static final int RECENT_DECISIONS = 20;

  private final RestClient rest;
  private final Screen screen;
  private final Duration reconnectDelay;
  private final RolloutProgressBlock block;
  private final RolloutEventLines lines = new RolloutEventLines();
  private final ServerOutage outage = new ServerOutage(InstantSource.system());
  private String lastEventId = "";
  private Optional<RolloutResponse> latest = Optional.empty();

  /// @param reconnectDelay pause before a reconnect
  public RolloutWatcher(RestClient rest, Screen screen, Duration reconnectDelay) {
    this.rest = rest;
    this.screen = screen;
    this.reconnectDelay = reconnectDelay;
    this.block = new RolloutProgressBlock(screen.terminal());
  }

  /// Blocks until the rollout has ended. Reconnects while no server responds and continues after the last event,
  /// because a rollout continues without its watcher.
  public RolloutResponse awaitEnd(String id) {
    return awaitState(id, RolloutResponse::hasEnded);
  }

  /// As [#awaitEnd], but also returns as soon as the rollout matches. May be called again to continue from there.
  public RolloutResponse awaitState(String id, Predicate<RolloutResponse> wanted) {
    Predicate<RolloutResponse> done = wanted.or(RolloutResponse::hasEnded);
    String path = "rollouts/" + RestClient.pathSegment(id);
    while (true) {
      try {
        printRecentDecisions(path);
        if (followEvents(path, done)) {
          screen.keepBlock();
          return RolloutResponse.of(rest.get(path));
        }
      } catch (CliException failed) {
        showOutage(outage.begin(failed));
      }
      Sleeper.sleep(reconnectDelay);
    }
  }

  private void showOutage(boolean isNew) {
    Optional<String> notice = outage.notice();
    if (screen.terminal().supportsRedraw()) {
      List<String> lines = new ArrayList<>(latest.map(block::lines).orElse(List.of()));
      notice
          .map(line -> TextFormat.truncate("  " + line, screen.terminal().width()))
          .map(screen.terminal()::red)
          .ifPresent(lines::add);
      screen.drawBlock(lines);
    } else if (isNew) {
      notice.ifPresent(screen::printLine);
    }
  }

  /// Prints the latest decisions, once.
  private void printRecentDecisions(String path) {
    if (lastEventId.isEmpty()) {
      List<JsonNode> decisions =
          rest.get(path + "/decisions?limit=" + RECENT_DECISIONS).path("items").valueStream().toList();
      lines.decisionLines(decisions).forEach(screen::printLine);
      lastEventId = decisions.isEmpty() ? "0" : decisions.getFirst().path("number").asString("0");
    }
  }

  /// Returns whether the awaited state was reached; false if the connection broke before.
  private boolean followEvents(String path, Predicate<RolloutResponse> done) {
    if (latest.filter(done).isPresent()) {
      return true;
    }
    try (ServerSentEvents serverSentEvents = rest.subscribe(path + "/events", lastEventId)) {
      outage.end().ifPresent(screen::printLine);
      for (Optional<ServerSentEvents.Event> next = serverSentEvents.next();
          next.isPresent();
          next = serverSentEvents.next()) {
        handleEvent(next.get());
        lastEventId = next.get().id();
        if (latest.filter(done).isPresent()) {
          return true;
        }
      }
      return serverSentEvents.hasEnded();
    }
  }

  private void handleEvent(ServerSentEvents.Event event) {
    if (event.name().equals("decision")) {
      lines.decisionLines(List.of(event.json())).forEach(screen::printLine);
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
}
