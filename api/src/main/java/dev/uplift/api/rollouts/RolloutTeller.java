package dev.uplift.api.rollouts;

import dev.uplift.api.events.LastEvent;
import dev.uplift.api.events.Looks;
import dev.uplift.api.events.Teller;
import dev.uplift.fleet.RolloutId;
import dev.uplift.store.DecisionRow;
import io.micronaut.http.sse.Event;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Tells of a rollout: each `decision` once and in its order, `progress` where the state is another
/// one, and at last `ended`.
final class RolloutTeller implements Teller {
  private final RolloutId id;
  private final Looks<RolloutId, RolloutLook>.Look look;
  private final RolloutLooks looks;
  private long number;
  private String state;
  private boolean isOver;

  /// @param seen empty: begins with the state, and what is decided from now on
  RolloutTeller(
      RolloutId id,
      Looks<RolloutId, RolloutLook>.Look look,
      RolloutLooks looks,
      Optional<LastEvent> seen) {
    this.id = id;
    this.look = look;
    this.looks = looks;
    this.number = seen.map(LastEvent::number).orElseGet(() -> look.get().last());
    this.state = seen.map(LastEvent::state).orElse("");
  }

  @Override
  public List<Event<String>> next() {
    RolloutLook now = look.get();
    List<Event<String>> events = new ArrayList<>();
    for (DecisionRow decision : news(now)) {
      number = decision.number();
      events.add(
          event("decision", new LastEvent(number, ""), looks.write(DecisionView.of(decision))));
    }
    if (number < now.last()) {
      // It lags behind; the rest comes next.
      return events;
    }
    if (now.isOver()) {
      isOver = true;
      events.add(event("ended", LastEvent.end(number), now.state()));
    } else if (!state.equals(now.mark())) {
      state = now.mark();
      events.add(event("progress", new LastEvent(number, state), now.state()));
    }
    return events;
  }

  private List<DecisionRow> news(RolloutLook now) {
    if (number >= now.last()) {
      return List.of();
    }
    return now.hasAllAfter(number)
        ? now.newest().stream().filter(row -> row.number() > number).toList()
        : looks.after(id, number);
  }

  private static Event<String> event(String name, LastEvent id, String data) {
    return Event.of(data).name(name).id(id.toString());
  }

  @Override
  public boolean isOver() {
    return isOver;
  }

  @Override
  public void close() {
    look.close();
  }
}
