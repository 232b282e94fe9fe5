package dev.uplift.services.messaging;

import io.nats.client.Connection;
import io.nats.client.ConnectionListener;
import io.nats.client.ErrorListener;
import io.nats.client.JetStreamSubscription;
import io.nats.client.Options;
import io.nats.client.support.Status;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The options of the client library: a lost server is noticed quickly, and threads of the library are platform
/// threads. There are few of them, and each message wakes two: virtual ones would have a poller, a timer and carriers
/// woken as well, which cost a server of a large fleet at rest more than its heartbeats do.
final class NatsConnectionOptions {
  private static final Logger LOG = LoggerFactory.getLogger(NatsConnection.class);

  private NatsConnectionOptions() {}

  static Options create(NatsSettings settings, Optional<NatsAuthHandler> authHandler, ConnectionListener listener)
      throws IOException {
    ThreadFactory threads = Thread.ofPlatform().daemon().name("nats-", 0).factory();
    Options.Builder options =
        Options.builder()
            .servers(settings.url().split(","))
            .connectionName("uplift-server")
            // The certificate must have the name, whichever of its addresses answers.
            .hostnameResolveMode(Options.HostnameResolveMode.HappyEyeballs)
            .connectionTimeout(Duration.ofSeconds(5))
            .maxReconnects(-1)
            .reconnectWait(Duration.ofSeconds(1))
            .reconnectJitter(Duration.ofSeconds(1))
            // Detects a network partition after 30 s, long before a host counts as silent.
            .pingInterval(Duration.ofSeconds(10))
            // A message that cannot be sent fails at once, and its sender retries.
            .reconnectBufferSize(0)
            .connectionListener(listener)
            .errorListener(new LoggingErrorListener())
            .executor(Executors.newThreadPerTaskExecutor(threads))
            .connectThreadFactory(threads)
            .callbackThreadFactory(threads)
            .readerThreadFactory(threads)
            .writerThreadFactory(threads);
    if (settings.usesTls()) {
      options.sslContext(HostnameVerifyingTrustManager.sslContext(settings.certificateAuthorities()));
    }
    authHandler.ifPresent(options::authHandler);
    return options.build();
  }

  /// The library's own listener logs every heartbeat of a pull.
  private static final class LoggingErrorListener implements ErrorListener {
    @Override
    public void errorOccurred(Connection connection, String error) {
      LOG.warn("NATS says: {}", error);
    }

    @Override
    public void exceptionOccurred(Connection connection, Exception e) {
      LOG.debug("NATS client", e);
    }

    @Override
    public void slowConsumerDetected(Connection connection, io.nats.client.Consumer consumer) {
      LOG.warn("NATS: slow consumer, {} messages were dropped", consumer.getDroppedCount());
    }

    @Override
    public void pullStatusWarning(Connection connection, JetStreamSubscription subscription, Status status) {
      LOG.debug("NATS pull: {}", status);
    }

    @Override
    public void pullStatusError(Connection connection, JetStreamSubscription subscription, Status status) {
      LOG.debug("NATS pull: {}", status);
    }
  }
}
