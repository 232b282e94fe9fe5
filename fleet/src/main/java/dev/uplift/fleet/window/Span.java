package dev.uplift.fleet.window;

/// A stretch of time in seconds of the epoch, half-open, never empty.
record Span(long from, long until) {
  /// The end of what is not known to end.
  static final long NEVER = Long.MAX_VALUE;

  static final Span ALWAYS = new Span(Long.MIN_VALUE, NEVER);
}
