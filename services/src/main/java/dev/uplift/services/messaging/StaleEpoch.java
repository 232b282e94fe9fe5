package dev.uplift.services.messaging;

/// The host has a newer command already. What became of the older one has to be asked of the host.
public final class StaleEpoch extends RuntimeException {
  private static final long serialVersionUID = 1;

  StaleEpoch(String host, long epoch, long newer) {
    super("epoch %d for %s is superseded by %d".formatted(epoch, host, newer));
  }
}
