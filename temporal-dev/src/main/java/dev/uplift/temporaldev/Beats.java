package dev.uplift.temporaldev;

import java.io.Closeable;
import java.io.IOException;

/// Watches for the first heartbeat of a host since now.
final class Beats implements Closeable {
  private static final int POLL_MS = 50;

  private final NatsWire wire;
  private boolean come;

  Beats(Nats nats, String tenant, String host) {
    try {
      wire = nats.login();
      wire.subscribe("device-heartbeat." + tenant + "." + host + ".*");
    } catch (IOException e) {
      throw new StackFailure("cannot watch for heartbeats: " + e.getMessage(), e);
    }
  }

  /// Waits a moment for one.
  synchronized boolean hasCome() {
    try {
      if (!come && wire.hasMessage(POLL_MS)) {
        come = true;
        wire.close();
      }
      return come;
    } catch (IOException e) {
      // NATS has gone meanwhile; nothing more can be seen.
      return true;
    }
  }

  @Override
  public synchronized void close() throws IOException {
    wire.close();
  }
}
