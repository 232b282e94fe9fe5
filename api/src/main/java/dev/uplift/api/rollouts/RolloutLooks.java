package dev.uplift.api.rollouts;

import dev.uplift.api.events.LastEvent;
import dev.uplift.api.events.Looks;
import dev.uplift.fleet.RolloutId;
import dev.uplift.fleet.rollout.RolloutState;
import dev.uplift.store.DecisionRow;
import dev.uplift.store.PageRequest;
import dev.uplift.store.RolloutDecisions;
import dev.uplift.store.RolloutRow;
import dev.uplift.store.Rollouts;
import io.micronaut.json.JsonMapper;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Looks at rollouts for those who listen.
@Singleton
final class RolloutLooks {
  /// So many decisions are kept for all listeners. Who lags further behind reads the table.
  private static final int KEPT = 200;

  private final Rollouts rollouts;
  private final RolloutDecisions decisions;
  private final RolloutViews views;
  private final JsonMapper json;
  private final Looks<RolloutId, RolloutLook> looks;

  RolloutLooks(Rollouts rollouts, RolloutDecisions decisions, RolloutViews views, JsonMapper json) {
    this.rollouts = rollouts;
    this.decisions = decisions;
    this.views = views;
    this.json = json;
    this.looks = new Looks<>(id -> before -> look(id, before));
  }

  /// Tells one listener of a rollout.
  RolloutTeller teller(RolloutId id, Optional<LastEvent> seen) {
    return new RolloutTeller(id, looks.open(id), this, seen);
  }

  /// The row first: when it has ended, nothing is decided any more.
  private RolloutLook look(RolloutId id, Optional<RolloutLook> before) {
    Optional<RolloutRow> row = rollouts.find(id);
    List<DecisionRow> newest = before.map(old -> newest(id, old)).orElseGet(() -> newest(id));
    return row.map(now ->
            new RolloutLook(write(views.progress(now)), now.state() == RolloutState.ENDED, newest))
        .orElseGet(() -> new RolloutLook("{}", true, newest));
  }

  private List<DecisionRow> newest(RolloutId id) {
    return decisions.list(id, PageRequest.first(KEPT)).rows().reversed();
  }

  private List<DecisionRow> newest(RolloutId id, RolloutLook before) {
    List<DecisionRow> more = after(id, before.last());
    if (more.isEmpty()) {
      return before.newest();
    }
    List<DecisionRow> all = new ArrayList<>(before.newest());
    all.addAll(more);
    return all.subList(Math.max(0, all.size() - KEPT), all.size());
  }

  /// The next few after the one with this number.
  List<DecisionRow> after(RolloutId id, long number) {
    return decisions.since(id, number, KEPT);
  }

  String write(Object view) {
    try {
      return json.writeValueAsString(view);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
