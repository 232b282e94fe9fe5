package dev.uplift.fleet.window;

import org.jspecify.annotations.Nullable;

/// One interval without a start and an end.
final class UnboundedInterval extends IntervalSequence {
  private boolean returned;

  @Override
  @Nullable Interval computeNext() {
    if (returned) {
      return null;
    }
    returned = true;
    return Interval.ALWAYS;
  }
}
