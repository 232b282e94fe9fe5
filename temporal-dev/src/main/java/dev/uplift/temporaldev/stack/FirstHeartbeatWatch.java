package dev.uplift.temporaldev.stack;

import dev.uplift.temporaldev.nats.MinimalNatsClient;
import dev.uplift.temporaldev.process.StackException;
import java.io.Closeable;
import java.io.IOException;

/// Watches for the first heartbeat of a host since now.
final class FirstHeartbeatWatch implements Closeable {
  private static final int POLL_MS = 50;

  private final MinimalNatsClient client;
  private boolean arrived;

  FirstHeartbeatWatch(NatsServer natsServer, String tenant, String host) {
    try {
      client = natsServer.connect();
      client.subscribeToNext("device-heartbeat." + tenant + "." + host + ".*");
    } catch (IOException e) {
      throw new StackException("cannot watch for heartbeats: " + e.getMessage(), e);
    }
  }

  /// Waits a moment for one.
  synchronized boolean awaitBriefly() {
    try {
      if (!arrived && client.hasMessage(POLL_MS)) {
        arrived = true;
        client.close();
      }
      return arrived;
    } catch (IOException e) {
      // NATS has gone meanwhile; nothing more can be seen.
      return true;
    }
  }

  @Override
  public synchronized void close() throws IOException {
    client.close();
  }
}
