package dev.uplift.services.event;

import dev.uplift.store.event.TenantEventRepository;
import jakarta.inject.Singleton;

/// Gives numbers to the events of a tenant. Readers do it; without readers there are none to give.
@Singleton
public final class EventNumbers {
  private final TenantEventRepository events;

  public EventNumbers(TenantEventRepository events) {
    this.events = events;
  }

  /// Gives numbers to all events that are committed and have none, batch by batch. Returns the newest number; 0 if
  /// there is no event. Safe to repeat, and for any number of servers at once.
  public long giveAll(String tenant) {
    int numbered;
    do {
      numbered = events.numberNew(tenant);
    } while (TenantEventRepository.isFullBatch(numbered));
    return events.lastNumber(tenant);
  }
}
