package dev.uplift.temporaldev.nats;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.uplift.protocol.nats.Credentials;
import dev.uplift.temporaldev.process.StackException;
import io.nats.client.Connection;
import io.nats.client.ErrorListener;
import io.nats.client.Nats;
import io.nats.client.Options;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import java.util.function.BiConsumer;
import javax.net.ssl.SSLContext;

/// A connection to the nats-server of a stack. Once it breaks it stays closed.
public final class LocalNatsClient implements AutoCloseable {
  private static final Duration TIMEOUT = Duration.ofSeconds(2);

  private final Connection connection;

  private LocalNatsClient(Connection connection) {
    this.connection = connection;
  }

  /// Connects and logs in.
  ///
  /// @throws io.nats.client.AuthenticationException if the credentials are rejected
  /// @throws IOException if no server responds
  public static LocalNatsClient connect(String url, Credentials credentials, Optional<SSLContext> tls)
      throws IOException {
    Options.Builder options =
        Options.builder()
            .server(url)
            .connectionName("uplift-stack")
            .connectionTimeout(TIMEOUT)
            .noReconnect()
            // The default one prints; failures are exceptions here.
            .errorListener(new ErrorListener() {})
            .authHandler(
                Nats.staticCredentials(credentials.jwt().toCharArray(), credentials.key().seed().toCharArray()));
    tls.ifPresent(options::sslContext);
    try {
      return new LocalNatsClient(Nats.connect(options.build()));
    } catch (InterruptedException e) {
      throw StackException.interrupted("connecting to NATS", e);
    }
  }

  /// Passes on subject and text of every message from now on, in order.
  public void subscribe(String subject, BiConsumer<String, String> listener) throws IOException {
    connection
        .createDispatcher(message -> listener.accept(message.getSubject(), new String(message.getData(), UTF_8)))
        .subscribe(subject);
    try {
      connection.flush(TIMEOUT);
    } catch (TimeoutException e) {
      close();
      throw new IOException("NATS does not respond", e);
    } catch (InterruptedException e) {
      throw StackException.interrupted("subscribing to " + subject, e);
    }
  }

  public boolean isConnected() {
    return connection.getStatus() == Connection.Status.CONNECTED;
  }

  @Override
  public void close() {
    try {
      connection.close();
    } catch (InterruptedException e) {
      throw StackException.interrupted("closing a connection to NATS", e);
    }
  }
}
