package dev.uplift.activities.temporal;

import java.util.function.Supplier;

/// The API key for Temporal, which may be replaced. Safe for use by many threads.
public final class TemporalApiKey implements Supplier<String> {
  private volatile String text;

  /// The key that calls come with at first.
  public TemporalApiKey(String text) {
    this.text = text;
  }

  /// Has every further call come with this key.
  public void replace(String other) {
    text = other;
  }

  /// Returns the key that the next call comes with.
  @Override
  public String get() {
    return text;
  }

  /// Hides the key.
  @Override
  public String toString() {
    return "(API key)";
  }
}
