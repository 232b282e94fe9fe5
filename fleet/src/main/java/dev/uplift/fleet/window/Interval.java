package dev.uplift.fleet.window;

/// A stretch of time in seconds of the epoch, half-open, never empty.
record Interval(long from, long until) {
  /// The end of what is not known to end.
  static final long NEVER = Long.MAX_VALUE;

  static final Interval ALWAYS = new Interval(Long.MIN_VALUE, NEVER);
}
