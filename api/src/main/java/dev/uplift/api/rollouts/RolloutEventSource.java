package dev.uplift.api.rollouts;

import dev.uplift.api.events.LastEventId;
import dev.uplift.api.events.SharedPoller;
import dev.uplift.api.events.SseEventSource;
import dev.uplift.fleet.RolloutId;
import dev.uplift.store.rollout.DecisionRow;
import io.micronaut.http.sse.Event;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The events of a rollout: each `decision` once and in order, `progress` when the state changes, and finally `ended`.
final class RolloutEventSource implements SseEventSource {
  private final RolloutId id;
  private final SharedPoller<RolloutId, RolloutEventState>.PollHandle handle;
  private final RolloutPoller poller;
  private long lastDecisionNumber;
  private String lastFingerprint;
  private boolean isFinished;

  /// @param seen empty: begins with the current state and the next decision
  RolloutEventSource(
      RolloutId id,
      SharedPoller<RolloutId, RolloutEventState>.PollHandle handle,
      RolloutPoller poller,
      Optional<LastEventId> seen) {
    this.id = id;
    this.handle = handle;
    this.poller = poller;
    this.lastDecisionNumber = seen.map(LastEventId::number).orElseGet(() -> handle.get().lastDecisionNumber());
    this.lastFingerprint = seen.map(LastEventId::fingerprint).orElse("");
  }

  @Override
  public List<Event<String>> poll() {
    RolloutEventState now = handle.get();
    List<Event<String>> events = new ArrayList<>();
    for (DecisionRow decision : newDecisions(now)) {
      lastDecisionNumber = decision.number();
      events.add(event("decision", new LastEventId(lastDecisionNumber, ""), poller.write(DecisionView.of(decision))));
    }
    if (lastDecisionNumber < now.lastDecisionNumber()) {
      // The rest of the decisions comes with the next poll.
      return events;
    }
    if (now.isEnded()) {
      isFinished = true;
      events.add(event("ended", LastEventId.end(lastDecisionNumber), now.json()));
    } else if (!lastFingerprint.equals(now.fingerprint())) {
      lastFingerprint = now.fingerprint();
      events.add(event("progress", new LastEventId(lastDecisionNumber, lastFingerprint), now.json()));
    }
    return events;
  }

  private List<DecisionRow> newDecisions(RolloutEventState now) {
    if (lastDecisionNumber >= now.lastDecisionNumber()) {
      return List.of();
    }
    return now.hasAllAfter(lastDecisionNumber)
        ? now.newestDecisions().stream().filter(row -> row.number() > lastDecisionNumber).toList()
        : poller.decisionsAfter(id, lastDecisionNumber);
  }

  private static Event<String> event(String name, LastEventId id, String data) {
    return Event.of(data).name(name).id(id.toString());
  }

  @Override
  public boolean isFinished() {
    return isFinished;
  }

  @Override
  public void close() {
    handle.close();
  }
}
