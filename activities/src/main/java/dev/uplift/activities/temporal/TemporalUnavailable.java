package dev.uplift.activities.temporal;

/// Temporal, or a worker of ours, cannot be asked at the moment. Whether what was asked for has happened is not known;
/// every call of this package is safe to repeat.
public final class TemporalUnavailable extends RuntimeException {
  private static final long serialVersionUID = 1;

  TemporalUnavailable(String text) {
    super(text);
  }

  TemporalUnavailable(String text, Throwable cause) {
    super(text, cause);
  }
}
