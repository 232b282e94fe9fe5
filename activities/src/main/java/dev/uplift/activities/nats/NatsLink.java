package dev.uplift.activities.nats;

import io.nats.client.Connection;
import io.nats.client.ConnectionListener.Events;
import io.nats.client.Nats;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/// The connection of this process to NATS. Starting it never fails and never waits: while the
/// server is away the link is down, and it comes up by itself, also after the client library has
/// given up for good, as it does when a login was refused twice.
public final class NatsLink implements AutoCloseable {
  /// What is done with a connection before anybody else may count on it. Is called each time the
  /// link comes up, on a new connection or on the one from before, and again until it succeeds.
  public interface Attachment {
    void attach(Connection connection) throws Exception;
  }

  private static final Logger LOG = LoggerFactory.getLogger(NatsLink.class);
  private static final Duration BETWEEN_TRIES = Duration.ofSeconds(1);

  private final NatsSettings settings;
  private final InstantSource clock;
  private final List<Attachment> attachments = new CopyOnWriteArrayList<>();

  /// Connections that have come up, to be attached to.
  private final BlockingQueue<Connection> cameUp = new LinkedBlockingQueue<>();

  private final Thread supervisor;
  private volatile LinkState state;
  private volatile @Nullable Connection connection;
  private volatile boolean closed;

  /// Only ever used by the supervisor.
  private String complained = "";

  /// How often the link has gone down. What was attached before the last time does not count.
  private int downs;

  /// Down until it is started.
  public NatsLink(NatsSettings settings, InstantSource clock) {
    this.settings = settings;
    this.clock = clock;
    this.state = new LinkState(false, clock.instant());
    this.supervisor = Thread.ofVirtual().name("nats-link").unstarted(this::supervise);
  }

  /// From the next time it comes up, after those that were named before.
  public void attach(Attachment attachment) {
    attachments.add(attachment);
  }

  /// Connects, for as long as it takes; once.
  public void start() {
    supervisor.start();
  }

  public LinkState state() {
    return state;
  }

  /// The connection, which is up.
  ///
  /// @throws NatsAway while it is not
  public Connection connection() {
    Connection current = connection;
    if (current == null || !state.up()) {
      throw new NatsAway("NATS is away since " + state.since(), null);
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
        Connection risen = cameUp.poll(BETWEEN_TRIES.toMillis(), TimeUnit.MILLISECONDS);
        if (risen != null && risen.equals(connection)) {
          attachAll(risen);
        }
      } catch (InterruptedException _) {
        return;
      } catch (IOException | IllegalArgumentException e) {
        complain("NATS at " + settings.url() + " cannot be reached", e);
        pause();
      }
    }
  }

  private void connect() throws IOException, InterruptedException {
    Connection fresh = Nats.connect(LinkOptions.of(settings, this::happened));
    connection = fresh;
    cameUp.add(fresh);
  }

  private void attachAll(Connection risen) {
    int before = downs();
    try {
      for (Attachment attachment : attachments) {
        attachment.attach(risen);
      }
      // Not before all is attached: who finds the link up may count on the streams.
      up(risen, before);
      complained = "";
    } catch (Exception e) {
      if (!closed) {
        complain("NATS is there but not ready", e);
        pause();
        retry(risen);
      }
    }
  }

  /// Once for each trouble, however often it is met.
  private void complain(String what, Exception e) {
    String trouble = what + ", tried again every second: " + e;
    LOG.atLevel(trouble.equals(complained) ? Level.DEBUG : Level.WARN).log(trouble);
    complained = trouble;
  }

  private void retry(Connection risen) {
    if (risen.getStatus() == Connection.Status.CONNECTED) {
      cameUp.add(risen);
    }
  }

  private void happened(Connection about, Events event) {
    switch (event) {
      case RECONNECTED -> cameUp.add(about);
      case DISCONNECTED, CLOSED -> down();
      default -> LOG.debug("NATS: {}", event);
    }
  }

  private synchronized int downs() {
    return downs;
  }

  private synchronized void up(Connection risen, int downsBefore) {
    if (downs == downsBefore && risen.getStatus() == Connection.Status.CONNECTED && !state.up()) {
      state = new LinkState(true, clock.instant());
      LOG.info("NATS is up");
    }
  }

  private synchronized void down() {
    downs++;
    if (state.up()) {
      state = new LinkState(false, clock.instant());
      LOG.atLevel(closed ? Level.INFO : Level.WARN).log("NATS is down");
    }
  }

  private void pause() {
    try {
      Thread.sleep(BETWEEN_TRIES);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    closed = true;
    supervisor.interrupt();
    try {
      // One that was never started cannot be waited for.
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
    down();
  }
}
