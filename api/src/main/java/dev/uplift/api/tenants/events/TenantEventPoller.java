package dev.uplift.api.tenants.events;

import dev.uplift.api.events.LastEventId;
import dev.uplift.api.events.SharedPoller;
import dev.uplift.services.event.EventNumbers;
import dev.uplift.store.event.TenantEventRepository;
import dev.uplift.store.event.TenantEventRow;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Polls the events of tenants for their streams.
@Singleton
final class TenantEventPoller {
  /// Events kept for all streams of a tenant. A stream that lags further behind reads the table.
  private static final int MAX_KEPT_EVENTS = 500;

  private final TenantEventRepository events;
  private final EventNumbers numbers;
  private final SharedPoller<String, TenantEventState> poller;

  TenantEventPoller(TenantEventRepository events, EventNumbers numbers) {
    this.events = events;
    this.numbers = numbers;
    this.poller = new SharedPoller<>(tenant -> before -> poll(tenant, before));
  }

  /// Reads the table once, because a stream that has begun cannot be answered with a status any more.
  ///
  /// @throws dev.uplift.store.DatabaseUnavailable if that is so
  void requireReadable(String tenant) {
    var _ = events.lastNumber(tenant);
  }

  /// Opens a stream of a tenant.
  TenantEventSource eventSource(String tenant, Optional<LastEventId> seen) {
    return new TenantEventSource(tenant, poller.open(tenant), this, seen);
  }

  private TenantEventState poll(String tenant, Optional<TenantEventState> before) {
    long last = numbers.giveAll(tenant);
    if (before.isEmpty()) {
      return new TenantEventState(last, List.of());
    }
    TenantEventState old = before.get();
    List<TenantEventRow> more = eventsAfter(tenant, old.lastNumber());
    if (more.isEmpty()) {
      return old;
    }
    List<TenantEventRow> all = new ArrayList<>(old.newest());
    all.addAll(more);
    return new TenantEventState(
        more.getLast().number(), all.subList(Math.max(0, all.size() - MAX_KEPT_EVENTS), all.size()));
  }

  /// Returns the next events after the one with this number.
  List<TenantEventRow> eventsAfter(String tenant, long number) {
    return events.listAfter(tenant, number, MAX_KEPT_EVENTS);
  }
}
