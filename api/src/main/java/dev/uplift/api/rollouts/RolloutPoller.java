package dev.uplift.api.rollouts;

import dev.uplift.api.events.LastEventId;
import dev.uplift.api.events.SharedPoller;
import dev.uplift.fleet.RolloutId;
import dev.uplift.fleet.rollout.RolloutState;
import dev.uplift.store.PageRequest;
import dev.uplift.store.rollout.DecisionRow;
import dev.uplift.store.rollout.RolloutDecisionRepository;
import dev.uplift.store.rollout.RolloutRepository;
import dev.uplift.store.rollout.RolloutRow;
import io.micronaut.json.JsonMapper;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Polls rollouts for their event streams.
@Singleton
final class RolloutPoller {
  /// Decisions kept for all streams. A stream that lags further behind reads the table.
  private static final int MAX_KEPT_DECISIONS = 200;

  private final RolloutRepository rollouts;
  private final RolloutDecisionRepository decisions;
  private final RolloutViews views;
  private final JsonMapper json;
  private final SharedPoller<RolloutId, RolloutEventState> poller;

  RolloutPoller(RolloutRepository rollouts, RolloutDecisionRepository decisions, RolloutViews views, JsonMapper json) {
    this.rollouts = rollouts;
    this.decisions = decisions;
    this.views = views;
    this.json = json;
    this.poller = new SharedPoller<>(id -> before -> poll(id, before));
  }

  /// Opens a stream of a rollout.
  RolloutEventSource eventSource(RolloutId id, Optional<LastEventId> seen) {
    return new RolloutEventSource(id, poller.open(id), this, seen);
  }

  /// Reads the row first: after its end no decision follows.
  private RolloutEventState poll(RolloutId id, Optional<RolloutEventState> before) {
    Optional<RolloutRow> row = rollouts.find(id);
    List<DecisionRow> newestDecisions =
        before.map(old -> newestDecisions(id, old)).orElseGet(() -> newestDecisions(id));
    return row.map(now ->
            new RolloutEventState(write(views.progress(now)), now.state() == RolloutState.ENDED, newestDecisions))
        .orElseGet(() -> new RolloutEventState("{}", true, newestDecisions));
  }

  private List<DecisionRow> newestDecisions(RolloutId id) {
    return decisions.list(id, PageRequest.first(MAX_KEPT_DECISIONS)).rows().reversed();
  }

  private List<DecisionRow> newestDecisions(RolloutId id, RolloutEventState before) {
    List<DecisionRow> more = decisionsAfter(id, before.lastDecisionNumber());
    if (more.isEmpty()) {
      return before.newestDecisions();
    }
    List<DecisionRow> all = new ArrayList<>(before.newestDecisions());
    all.addAll(more);
    return all.subList(Math.max(0, all.size() - MAX_KEPT_DECISIONS), all.size());
  }

  /// Returns the next decisions after the one with this number.
  List<DecisionRow> decisionsAfter(RolloutId id, long number) {
    return decisions.listSince(id, number, MAX_KEPT_DECISIONS);
  }

  String write(Object view) {
    try {
      return json.writeValueAsString(view);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
