package dev.uplift.activities.host;

/// Nothing can be said of a host yet, for our own link to the hosts is or was just down.
final class ObservationUnavailable extends RuntimeException {
  private static final long serialVersionUID = 1;

  ObservationUnavailable(String text) {
    super(text);
  }
}
