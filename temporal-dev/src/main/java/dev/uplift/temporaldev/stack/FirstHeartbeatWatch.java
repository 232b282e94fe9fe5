package dev.uplift.temporaldev.stack;

import dev.uplift.temporaldev.nats.LocalNatsClient;
import dev.uplift.temporaldev.process.StackException;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/// Watches for the first heartbeat of a host from now on, at whichever server of a cluster it arrives.
final class FirstHeartbeatWatch implements AutoCloseable {
  private static final int POLL_MS = 50;

  private final CountDownLatch arrived = new CountDownLatch(1);
  private final List<LocalNatsClient> clients;

  FirstHeartbeatWatch(NatsServer natsServer, String tenant, String host) {
    clients =
        natsServer.subscribeAtEach("device-heartbeat." + tenant + "." + host + ".*", (_, _) -> arrived.countDown());
  }

  /// Waits for a moment. Returns whether a heartbeat has arrived, or none can be received any more because NATS is
  /// unavailable.
  boolean awaitBriefly() {
    try {
      boolean done =
          arrived.await(POLL_MS, TimeUnit.MILLISECONDS) || clients.stream().noneMatch(LocalNatsClient::isConnected);
      if (done) {
        close();
      }
      return done;
    } catch (InterruptedException e) {
      throw StackException.interrupted("awaiting a heartbeat", e);
    }
  }

  @Override
  public void close() {
    clients.forEach(LocalNatsClient::close);
  }
}
