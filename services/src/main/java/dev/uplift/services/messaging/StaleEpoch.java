package dev.uplift.services.messaging;

/// The host has a newer command already. Only the host knows what became of the older one.
public final class StaleEpoch extends RuntimeException {
  private static final long serialVersionUID = 1;

  StaleEpoch(String host, long epoch, long newer) {
    super("epoch %d for %s is superseded by %d".formatted(epoch, host, newer));
  }
}
