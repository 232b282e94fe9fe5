package dev.uplift.agent.transport;

import static java.lang.System.Logger.Level.INFO;
import static java.lang.System.Logger.Level.WARNING;

import io.nats.client.Connection;
import io.nats.client.ConnectionListener.Events;
import io.nats.client.Dispatcher;
import io.nats.client.Message;
import io.nats.client.Nats;
import io.nats.client.Subscription;
import io.nats.client.impl.Headers;
import io.nats.client.impl.NatsMessage;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/// A permanent connection to NATS: the library reconnects after a lost server, and if it closes for good, as after two
/// refused logins, a new connection is made.
public final class NatsTransport implements Transport, AutoCloseable {
  private static final System.Logger LOG = System.getLogger(NatsTransport.class.getName());
  private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(5);
  private static final Duration FLUSH_TIMEOUT = Duration.ofSeconds(2);
  private static final Duration CHECK_INTERVAL = Duration.ofMinutes(1);

  private final TransportSettings settings;
  private final Thread supervisor = Thread.ofVirtual().name("nats-connection").unstarted(this::supervise);
  private final Map<String, Listener> listeners = new LinkedHashMap<>();
  private final WakeSignal wakeUp = new WakeSignal();
  private volatile @Nullable Connection connection;
  private final Map<String, Subscription> subscriptions = new HashMap<>();
  private @Nullable Dispatcher activeDispatcher;
  private volatile boolean closed;

  public NatsTransport(TransportSettings settings) {
    this.settings = settings;
  }

  /// Connects for as long as it takes. Nothing happens the second time.
  public synchronized void start() {
    if (supervisor.getState() == Thread.State.NEW) {
      supervisor.start();
    }
  }

  private void supervise() {
    var reconnectDelay = new ReconnectDelay(settings.reconnectsFast());
    long tries = 0;
    while (!closed) {
      try {
        use(Nats.connect(NatsOptionsFactory.create(settings, this::onConnectionEvent)));
        tries = 0;
        while (isOpen()) {
          wakeUp.await(CHECK_INTERVAL);
        }
      } catch (IOException | IllegalArgumentException e) {
        LOG.log(WARNING, "NATS at {0} cannot be reached: {1}", settings.url(), e.getMessage());
      } catch (IllegalStateException e) {
        // As the library says it where the connection was closed before its subscriptions were made.
        LOG.log(WARNING, "the new connection to NATS cannot be used: {0}", e.getMessage());
        closeUnused();
      } catch (InterruptedException _) {
        return;
      }
      pause(reconnectDelay.delay(tries++));
    }
  }

  private void closeUnused() {
    Connection unused = connection;
    connection = null;
    try {
      if (unused != null) {
        unused.close();
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  private boolean isOpen() {
    Connection current = connection;
    return current != null && current.getStatus() != Connection.Status.CLOSED;
  }

  private void pause(Duration pause) {
    try {
      wakeUp.await(pause);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  private void use(Connection fresh) {
    synchronized (listeners) {
      connection = fresh;
      subscriptions.clear();
      Dispatcher dispatcher = fresh.createDispatcher();
      activeDispatcher = dispatcher;
      listeners.forEach((subject, listener) -> subscribe(dispatcher, subject, listener));
    }
    LOG.log(INFO, "connected to NATS as {0}", settings.connectionName());
    notifyConnected();
  }

  private void subscribe(Dispatcher dispatcher, String subject, Listener listener) {
    subscriptions.put(subject, dispatcher.subscribe(subject, _ -> listener.onMessage()));
  }

  private void notifyConnected() {
    List<Listener> all;
    synchronized (listeners) {
      all = List.copyOf(listeners.values());
    }
    all.forEach(Listener::onConnected);
  }

  private void onConnectionEvent(Connection about, Events event) {
    if (closed || !about.equals(connection)) {
      return;
    }
    switch (event) {
      case RECONNECTED -> {
        LOG.log(INFO, "connected to NATS again");
        notifyConnected();
      }
      case DISCONNECTED -> LOG.log(WARNING, "disconnected from NATS");
      case CLOSED -> {
        LOG.log(WARNING, "the connection to NATS is closed, a new one is made");
        wakeUp.signal();
      }
      default -> {}
    }
  }

  public boolean isConnected() {
    Connection current = connection;
    return current != null && current.getStatus() == Connection.Status.CONNECTED;
  }

  @Override
  public void publish(String subject, byte[] body) {
    Connection current = connection;
    if (current == null || current.getStatus() != Connection.Status.CONNECTED) {
      return;
    }
    try {
      current.publish(subject, body);
    } catch (IllegalStateException _) {
      // Just disconnected. A publish may be lost.
    }
  }

  @Override
  public Reply request(String subject, Map<String, String> headers, byte[] body)
      throws ServerUnavailable, InterruptedException {
    Connection current = connection;
    if (current == null || current.getStatus() != Connection.Status.CONNECTED) {
      throw new ServerUnavailable("not connected to NATS");
    }
    try {
      Message answer = current.request(message(subject, headers, body), REQUEST_TIMEOUT);
      if (answer == null) {
        throw new ServerUnavailable("no answer on " + subject);
      }
      return reply(answer);
    } catch (IllegalStateException e) {
      throw new ServerUnavailable("NATS: " + e.getMessage(), e);
    }
  }

  private static Message message(String subject, Map<String, String> headers, byte[] body) {
    Headers all = new Headers();
    headers.forEach((name, value) -> all.put(name, value));
    return NatsMessage.builder().subject(subject).headers(all).data(body).build();
  }

  private static Reply reply(Message answer) {
    Map<String, String> headers = new HashMap<>();
    if (answer.hasHeaders()) {
      answer.getHeaders().forEach((name, values) -> headers.put(name, values.getFirst()));
    }
    int status = answer.isStatusMessage() ? answer.getStatus().getCode() : Reply.OK;
    return new Reply(status, headers, answer.getData());
  }

  @Override
  public void subscribe(String subject, Listener listener) {
    boolean isUp;
    synchronized (listeners) {
      listeners.put(subject, listener);
      Dispatcher dispatcher = activeDispatcher;
      isUp = dispatcher != null && isOpen() && hasSubscribed(dispatcher, subject, listener);
    }
    if (isUp) {
      listener.onConnected();
    }
  }

  private boolean hasSubscribed(Dispatcher dispatcher, String subject, Listener listener) {
    try {
      subscribe(dispatcher, subject, listener);
      return true;
    } catch (IllegalStateException _) {
      // Just closed. The next connection subscribes for all listeners.
      return false;
    }
  }

  @Override
  public void unsubscribe(String subject) {
    synchronized (listeners) {
      listeners.remove(subject);
      Subscription subscription = subscriptions.remove(subject);
      Dispatcher dispatcher = activeDispatcher;
      if (subscription != null && dispatcher != null && dispatcher.isActive()) {
        dispatcher.unsubscribe(subscription);
      }
    }
  }

  /// Waits until the server has what was published, two seconds at most, and closes.
  @Override
  public void close() {
    closed = true;
    supervisor.interrupt();
    try {
      Connection current = connection;
      if (current != null) {
        if (current.getStatus() == Connection.Status.CONNECTED) {
          flush(current);
        }
        current.close();
      }
      supervisor.join(Duration.ofSeconds(6));
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  /// `Connection#flushBuffer` would leave behind what the library has not begun to send.
  private static void flush(Connection connection) throws InterruptedException {
    try {
      connection.flush(FLUSH_TIMEOUT);
    } catch (TimeoutException | IllegalStateException e) {
      LOG.log(WARNING, "the last words to NATS may be lost: {0}", e.getMessage());
    }
  }
}
