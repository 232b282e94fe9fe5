package dev.uplift.fleet.window;

/// An interval in epoch seconds, half-open, never empty.
record Interval(long from, long until) {
  /// The end of an interval without a known end.
  static final long NEVER = Long.MAX_VALUE;

  static final Interval ALWAYS = new Interval(Long.MIN_VALUE, NEVER);
}
