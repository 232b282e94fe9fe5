package dev.uplift.api.upgrades;

import dev.uplift.api.events.LastEvent;
import dev.uplift.api.events.Looks;
import dev.uplift.api.events.Teller;
import io.micronaut.http.sse.Event;
import java.util.List;
import java.util.Optional;

/// Tells of an upgrade: `progress` where it is in another state, and at last `ended`. Each has all
/// that there is to say, so that nothing is lost with one that was missed.
final class UpgradeTeller implements Teller {
  private final Looks<UpgradeEventController.Key, UpgradeLook>.Look look;
  private String told;
  private boolean isOver;

  UpgradeTeller(
      Looks<UpgradeEventController.Key, UpgradeLook>.Look look, Optional<LastEvent> seen) {
    this.look = look;
    this.told = seen.map(LastEvent::state).orElse("");
  }

  @Override
  public List<Event<String>> next() {
    UpgradeLook now = look.get();
    if (now.isOver()) {
      isOver = true;
      return List.of(Event.of(now.state()).name("ended").id(LastEvent.end(0).toString()));
    }
    if (told.equals(now.mark())) {
      return List.of();
    }
    told = now.mark();
    return List.of(Event.of(now.state()).name("progress").id(new LastEvent(0, told).toString()));
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
