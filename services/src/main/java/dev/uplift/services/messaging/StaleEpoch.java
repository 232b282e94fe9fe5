package dev.uplift.services.messaging;

/// The host has a newer command already. Only the host knows what became of the older one.
public final class StaleEpoch extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final String newerId;

  StaleEpoch(String host, long epoch, long newer, String newerId) {
    super("epoch %d for %s is superseded by %d".formatted(epoch, host, newer));
    this.newerId = newerId;
  }

  /// Returns the id of the newer command.
  public String newerId() {
    return newerId;
  }
}
