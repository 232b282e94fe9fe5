package dev.uplift.api.tenants.events;

import dev.uplift.api.events.LastEventId;
import dev.uplift.api.events.SharedPoller;
import dev.uplift.api.events.SseEventSource;
import dev.uplift.services.event.TenantEventJson;
import dev.uplift.store.event.TenantEventRow;
import io.micronaut.http.sse.Event;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The events of a tenant: first `position`, which says where the stream begins, then each event once and in order.
final class TenantEventSource implements SseEventSource {
  private final String tenant;
  private final SharedPoller<String, TenantEventState>.PollHandle handle;
  private final TenantEventPoller poller;
  private long lastNumber;
  private boolean isPositionSent;

  /// @param seen empty: begins with the next event
  TenantEventSource(
      String tenant,
      SharedPoller<String, TenantEventState>.PollHandle handle,
      TenantEventPoller poller,
      Optional<LastEventId> seen) {
    this.tenant = tenant;
    this.handle = handle;
    this.poller = poller;
    long newest = handle.get().lastNumber();
    // Above the newest is an id of tables that were restored from an older copy since.
    this.lastNumber = Math.min(newest, seen.map(LastEventId::number).orElse(newest));
  }

  @Override
  public List<Event<String>> poll() {
    List<Event<String>> events = new ArrayList<>();
    if (!isPositionSent) {
      isPositionSent = true;
      events.add(event("position", lastNumber, "{\"number\":%d}".formatted(lastNumber)));
    }
    for (TenantEventRow row : newEvents(handle.get())) {
      lastNumber = row.number();
      events.add(event(row.kind(), lastNumber, TenantEventJson.of(row).toString()));
    }
    return events;
  }

  private List<TenantEventRow> newEvents(TenantEventState now) {
    if (lastNumber >= now.lastNumber()) {
      return List.of();
    }
    return now.hasAllAfter(lastNumber)
        ? now.newest().stream().filter(row -> row.number() > lastNumber).toList()
        : poller.eventsAfter(tenant, lastNumber);
  }

  private static Event<String> event(String name, long number, String data) {
    return Event.of(data).name(name).id(Long.toString(number));
  }

  /// A tenant has no last event.
  @Override
  public boolean isFinished() {
    return false;
  }

  @Override
  public void close() {
    handle.close();
  }
}
