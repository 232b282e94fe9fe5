package dev.uplift.agent.transport;

import io.nats.client.Connection;
import io.nats.client.ConnectionListener;
import io.nats.client.Consumer;
import io.nats.client.ErrorListener;
import io.nats.client.Options;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;

/// The options of the client library: small, on virtual threads, quick to notice a lost server.
final class NatsOptionsFactory {
  private static final System.Logger LOG = System.getLogger(NatsTransport.class.getName());

  private NatsOptionsFactory() {}

  static Options create(TransportSettings settings, ConnectionListener listener) throws IOException {
    ThreadFactory threads = Thread.ofVirtual().name("nats-", 0).factory();
    Options.Builder options =
        Options.builder()
            .servers(settings.url().split(","))
            .connectionName(settings.connectionName())
            // By name, which its certificate has to have, at whichever address answers.
            .hostnameResolveMode(Options.HostnameResolveMode.HappyEyeballs)
            .serverPool(new ConfiguredServerPool())
            .inboxPrefix(settings.inboxPrefix() + ".")
            .connectionTimeout(Duration.ofSeconds(5))
            .maxReconnects(-1)
            .reconnectDelayHandler(new ReconnectDelay(settings.reconnectsFast())::delay)
            .reconnectDelayBehavior(Options.ReconnectDelayBehavior.BeforeAllRounds)
            .pingInterval(Duration.ofSeconds(10))
            // A publish that cannot be sent now fails now, so its caller knows and retries.
            .reconnectBufferSize(0)
            .bufferSize(4 * 1024)
            .connectionListener(listener)
            .errorListener(new LoggingErrorListener())
            .executor(Executors.newThreadPerTaskExecutor(threads))
            .connectThreadFactory(threads)
            .callbackThreadFactory(threads)
            .readerThreadFactory(threads)
            .writerThreadFactory(threads);
    settings.credentials().ifPresent(file -> options.authHandler(new CredentialsFileAuthHandler(file)));
    if (!settings.user().isEmpty()) {
      options.userInfo(settings.user().toCharArray(), password(settings));
    }
    return options.build();
  }

  private static char[] password(TransportSettings settings) throws IOException {
    return settings.passwordFile().isPresent()
        ? Files.readString(settings.passwordFile().get()).strip().toCharArray()
        : new char[0];
  }

  private static final class LoggingErrorListener implements ErrorListener {
    @Override
    public void errorOccurred(Connection connection, String error) {
      LOG.log(System.Logger.Level.WARNING, "NATS says: {0}", error);
    }

    @Override
    public void exceptionOccurred(Connection connection, Exception e) {
      LOG.log(System.Logger.Level.DEBUG, "NATS client", e);
    }

    @Override
    public void slowConsumerDetected(Connection connection, Consumer consumer) {
      LOG.log(System.Logger.Level.DEBUG, "NATS: a notification was dropped, one is enough");
    }
  }
}
