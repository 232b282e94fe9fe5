package dev.uplift.services.messaging;

import dev.uplift.services.scheduling.PeriodicTasks;
import io.nats.client.JetStreamApiException;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Looks every few seconds whether the streams and consumers are there, and has those created again that were deleted
/// or lost while the connection was up. Whatever else the initializers of [NatsConnection] put into a stream is there
/// again as well.
@Singleton
public final class StreamMonitor implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(StreamMonitor.class);
  private static final Duration INTERVAL = Duration.ofSeconds(5);

  private final NatsConnection nats;
  private final PeriodicTasks tasks = new PeriodicTasks();
  private volatile List<String> missing = List.of();

  public StreamMonitor(NatsConnection nats) {
    this.nats = nats;
  }

  /// Starts to look. Once.
  public void start() {
    tasks.schedule(INTERVAL, "streams", this::check);
  }

  /// Looks now. Does nothing while the connection is down: what is missing is created when it comes up.
  void check() {
    if (!nats.status().connected()) {
      return;
    }
    try {
      report(StreamProvisioner.findMissing(nats.connection()));
    } catch (IOException | JetStreamApiException | IllegalStateException | NatsUnavailable e) {
      LOG.debug("the streams could not be looked at", e);
    }
  }

  private void report(List<String> found) {
    if (!found.isEmpty()) {
      nats.initializeAgain();
    }
    if (!found.equals(missing)) {
      LOG.warn(
          found.isEmpty() ? "NATS has all streams and consumers again{}" : "NATS has lost {}, created again",
          found.isEmpty() ? "" : String.join(", ", found));
      missing = found;
    }
  }

  /// Returns the streams and consumers that were missing when it last looked, such as `stream EVT`.
  public List<String> missing() {
    return missing;
  }

  @Override
  public void close() {
    tasks.close();
  }
}
