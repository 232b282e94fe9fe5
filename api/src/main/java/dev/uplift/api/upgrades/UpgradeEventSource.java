package dev.uplift.api.upgrades;

import dev.uplift.api.events.LastEventId;
import dev.uplift.api.events.SharedPoller;
import dev.uplift.api.events.SseEventSource;
import io.micronaut.http.sse.Event;
import java.util.List;
import java.util.Optional;

/// The events of an upgrade: `progress` when its state has changed, and at last `ended`. Each has the complete state,
/// so a missed one loses nothing.
final class UpgradeEventSource implements SseEventSource {
  private final SharedPoller<UpgradeEventController.Key, UpgradeEventState>.PollHandle handle;
  private String lastFingerprint;
  private boolean isFinished;

  UpgradeEventSource(
      SharedPoller<UpgradeEventController.Key, UpgradeEventState>.PollHandle handle, Optional<LastEventId> seen) {
    this.handle = handle;
    this.lastFingerprint = seen.map(LastEventId::fingerprint).orElse("");
  }

  @Override
  public List<Event<String>> poll() {
    UpgradeEventState now = handle.get();
    if (now.isEnded()) {
      isFinished = true;
      return List.of(Event.of(now.json()).name("ended").id(LastEventId.end(0).toString()));
    }
    if (lastFingerprint.equals(now.fingerprint())) {
      return List.of();
    }
    lastFingerprint = now.fingerprint();
    return List.of(Event.of(now.json()).name("progress").id(new LastEventId(0, lastFingerprint).toString()));
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
