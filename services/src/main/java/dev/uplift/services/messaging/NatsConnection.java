package dev.uplift.services.messaging;

import dev.uplift.protocol.nats.Credentials;
import io.nats.client.Connection;
import io.nats.client.ConnectionListener.Events;
import io.nats.client.JetStreamApiException;
import io.nats.client.Nats;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/// The connection of this process to NATS. Starting it never fails and never blocks: while the server is unavailable
/// the connection is down, and it comes up by itself, also after the client library has given up for good, as it does
/// when a login was refused twice. A nats-server that is connected while no stream answers may be cut off from the rest
/// of its cluster: after a while the connection is closed, and a new one made to any of the addresses.
public final class NatsConnection implements AutoCloseable {
  /// Prepares a connection before it is used. Called each time the connection comes up, on a new one or on the one from
  /// before, and again until it succeeds.
  public interface ConnectionInitializer {
    void initialize(Connection connection) throws Exception;
  }

  /// Reads the credentials for a login.
  @FunctionalInterface
  public interface CredentialsReader {
    /// Returns what is there now.
    ///
    /// @throws IOException if they cannot be used: those of the login before are used again
    Credentials read() throws IOException;
  }

  private static final Logger LOG = LoggerFactory.getLogger(NatsConnection.class);
  private static final Duration RETRY_DELAY = Duration.ofSeconds(1);

  /// Equal to the time after which a nats-server is left that does not answer at all, see [NatsConnectionOptions].
  private static final Duration MAX_UNANSWERED = Duration.ofSeconds(30);

  private final NatsSettings settings;

  /// Of all connections, because it keeps the credentials of the last login.
  private final Optional<NatsAuthHandler> authHandler;

  private final InstantSource clock;
  private final List<ConnectionInitializer> initializers = new CopyOnWriteArrayList<>();

  /// Connections that have come up and are to be initialized.
  private final BlockingQueue<Connection> newConnections = new LinkedBlockingQueue<>();

  private final Thread supervisor;
  private volatile ConnectionStatus status;
  private volatile @Nullable Connection connection;
  private volatile boolean closed;

  /// Of the last attempt, until one succeeds.
  private volatile @Nullable ConnectionFailure failure;

  /// Used by the supervisor only.
  private @Nullable ConnectionFailure lastLogged;

  /// How often the connection has gone down. An initialization from before the last time does not count.
  private int disconnects;

  /// The first request of the current connection to which the streams have not answered, if none was answered since.
  private @Nullable Instant unansweredSince;

  /// Down until it is started.
  public NatsConnection(NatsSettings settings, InstantSource clock) {
    this(settings, settings.credentialsFile().map(file -> new NatsAuthHandler(() -> Credentials.read(file))), clock);
  }

  /// Down until it is started.
  ///
  /// @param credentials instead of those of the settings; read for each login
  public NatsConnection(NatsSettings settings, CredentialsReader credentials, InstantSource clock) {
    this(settings, Optional.of(new NatsAuthHandler(credentials)), clock);
  }

  private NatsConnection(NatsSettings settings, Optional<NatsAuthHandler> authHandler, InstantSource clock) {
    this.settings = settings;
    this.authHandler = authHandler;
    this.clock = clock;
    this.status = new ConnectionStatus(false, clock.instant());
    this.supervisor = Thread.ofVirtual().name("nats-connection").unstarted(this::supervise);
  }

  /// Effective from the next time the connection comes up, after the initializers added before.
  public void addInitializer(ConnectionInitializer connectionInitializer) {
    initializers.add(connectionInitializer);
  }

  /// Starts to connect, without a time limit. Once.
  public void start() {
    supervisor.start();
  }

  /// Calls all initializers again, soon and until they succeed, because the server has lost something that they create.
  /// The connection stays up meanwhile.
  void initializeAgain() {
    Connection current = connection;
    if (current != null && !newConnections.contains(current)) {
      newConnections.add(current);
    }
  }

  /// Notes that streams have answered a request on this connection.
  synchronized void noteAnswer() {
    unansweredSince = null;
  }

  /// Notes that they have not. After [#MAX_UNANSWERED] without an answer another connection is made.
  void noteNoAnswer(Connection unanswered) {
    if (unanswered.equals(connection) && hasBeenUnansweredForTooLong()) {
      LOG.warn(
          "NATS is connected but has answered no request for {} s: another connection is made, to any of its addresses",
          MAX_UNANSWERED.toSeconds());
      noteAnswer();
      close(unanswered);
    }
  }

  private synchronized boolean hasBeenUnansweredForTooLong() {
    Instant now = clock.instant();
    if (unansweredSince == null) {
      unansweredSince = now;
    }
    return !now.isBefore(unansweredSince.plus(MAX_UNANSWERED));
  }

  private static void close(Connection ended) {
    try {
      ended.close();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  public ConnectionStatus status() {
    return status;
  }

  /// Returns why the connection is not up; empty while it is, and before an attempt has failed.
  public Optional<ConnectionFailure> failure() {
    return status.connected() ? Optional.empty() : Optional.ofNullable(failure);
  }

  /// Returns the connection, which is up.
  ///
  /// @throws NatsUnavailable while it is not
  public Connection connection() {
    Connection current = connection;
    if (current == null || !status.connected()) {
      throw new NatsUnavailable(
          "NATS is unavailable since %s%s"
              .formatted(status.since(), failure().map(each -> ": " + each.text()).orElse("")),
          null);
    }
    return current;
  }

  private void supervise() {
    while (!closed) {
      try {
        Connection current = connection;
        if (current == null || current.getStatus() == Connection.Status.CLOSED) {
          connect();
        }
        Connection risen = newConnections.poll(RETRY_DELAY.toMillis(), TimeUnit.MILLISECONDS);
        if (risen != null && risen.equals(connection)) {
          initializeAll(risen);
        }
      } catch (InterruptedException _) {
        return;
      } catch (IOException | IllegalArgumentException e) {
        noteFailure(ConnectionFailure.unreachable(settings.url(), e));
        pause();
      }
    }
  }

  private void connect() throws IOException, InterruptedException {
    Connection fresh = Nats.connect(NatsConnectionOptions.create(settings, authHandler, this::onConnectionEvent));
    connection = fresh;
    noteAnswer();
    newConnections.add(fresh);
  }

  private void initializeAll(Connection risen) {
    int before = disconnects();
    try {
      for (ConnectionInitializer connectionInitializer : initializers) {
        connectionInitializer.initialize(risen);
      }
      // Only after all initializers: a connection that is up has its streams.
      markConnected(risen, before);
      noteAnswer();
      failure = null;
      lastLogged = null;
    } catch (Exception e) {
      if (!closed) {
        noteFailure(ConnectionFailure.notReady(e));
        if (e instanceof StreamPlacement.Refused) {
          noteAnswer();
        } else if (e instanceof IOException || e instanceof JetStreamApiException) {
          noteNoAnswer(risen);
        }
        pause();
        retry(risen);
      }
    }
  }

  /// Logs each failure once, however often it occurs.
  private void noteFailure(ConnectionFailure latest) {
    failure = latest;
    LOG.atLevel(latest.equals(lastLogged) ? Level.DEBUG : Level.WARN)
        .log("{}; it is tried again every second", latest.text());
    lastLogged = latest;
  }

  private void retry(Connection risen) {
    if (risen.getStatus() == Connection.Status.CONNECTED) {
      newConnections.add(risen);
    }
  }

  private void onConnectionEvent(Connection about, Events event) {
    switch (event) {
      case RECONNECTED -> newConnections.add(about);
      case DISCONNECTED, CLOSED -> {
        // An attempt that fails closes its connection, too, and has a reason of its own.
        if (about.equals(connection)) {
          failure = ConnectionFailure.LOST;
        }
        markDisconnected();
      }
      default -> LOG.debug("NATS: {}", event);
    }
  }

  /// Returns how often it has gone down.
  synchronized int disconnects() {
    return disconnects;
  }

  private synchronized void markConnected(Connection risen, int downsBefore) {
    if (disconnects == downsBefore && risen.getStatus() == Connection.Status.CONNECTED && !status.connected()) {
      status = new ConnectionStatus(true, clock.instant());
      LOG.info("NATS is up");
    }
  }

  private synchronized void markDisconnected() {
    disconnects++;
    if (status.connected()) {
      status = new ConnectionStatus(false, clock.instant());
      LOG.atLevel(closed ? Level.INFO : Level.WARN).log("NATS is down");
    }
  }

  private void pause() {
    try {
      Thread.sleep(RETRY_DELAY);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    closed = true;
    supervisor.interrupt();
    try {
      // A thread that was never started cannot be joined.
      if (supervisor.isAlive()) {
        supervisor.join(Duration.ofSeconds(10));
      }
      Connection current = connection;
      if (current != null) {
        current.close();
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
    markDisconnected();
  }
}
