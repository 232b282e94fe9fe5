package dev.uplift.api.tenants.events;

import dev.uplift.store.event.TenantEventRow;
import java.util.List;

/// The events of a tenant up to one moment, for its streams.
///
/// @param lastNumber of the newest event; 0 before the first
/// @param newest the newest events without a gap, oldest first; may be none
record TenantEventState(long lastNumber, List<TenantEventRow> newest) {
  TenantEventState {
    newest = List.copyOf(newest);
  }

  /// Returns whether it has all events after this one.
  boolean hasAllAfter(long number) {
    return number >= lastNumber || (!newest.isEmpty() && newest.getFirst().number() <= number + 1);
  }
}
