package dev.uplift.activities.nats;

/// A newer command lies in the slot. What became of the older one has to be asked of the host.
public final class Superseded extends RuntimeException {
  private static final long serialVersionUID = 1;

  Superseded(String host, long epoch, long newer) {
    super("epoch %d for %s is superseded by %d".formatted(epoch, host, newer));
  }
}
