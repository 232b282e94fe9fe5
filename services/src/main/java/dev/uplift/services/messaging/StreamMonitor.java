package dev.uplift.services.messaging;

import dev.uplift.services.messaging.StreamProvisioner.FoundStreams;
import dev.uplift.services.scheduling.PeriodicTasks;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.nats.client.Connection;
import io.nats.client.JetStreamApiException;
import io.nats.client.api.ClusterInfo;
import io.nats.client.api.ConsumerInfo;
import io.nats.client.api.Replica;
import io.nats.client.api.StreamInfo;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Looks every few seconds whether the streams and consumers are there, and has those created again that were deleted
/// or lost while the connection was up. Whatever else the initializers of [NatsConnection] put into a stream is there
/// again as well. Tells the connection when they do not answer. Exports the link to NATS, and how full the streams are
/// and how far the consumers have read.
@Singleton
public final class StreamMonitor implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(StreamMonitor.class);
  private static final Duration INTERVAL = Duration.ofSeconds(5);

  private final NatsConnection nats;
  private final PeriodicTasks tasks = new PeriodicTasks();
  private volatile List<String> missing = List.of();

  /// Empty while nothing is known, as while the connection is down.
  private volatile FoundStreams found = FoundStreams.NONE;

  public StreamMonitor(NatsConnection nats, MeterRegistry meters) {
    this.nats = nats;
    Gauge.builder("uplift.nats.connected", nats, each -> each.status().connected() ? 1 : 0)
        .description("1 while this server is connected to NATS and the streams are there")
        .register(meters);
    FunctionCounter.builder("uplift.nats.disconnects", nats, NatsConnection::disconnects)
        .description("how often the connection to NATS has gone down")
        .register(meters);
    StreamProvisioner.STREAMS.forEach(stream -> bindStream(stream, meters));
    StreamProvisioner.CONSUMERS.forEach((stream, consumer) -> bindConsumer(stream, consumer, meters));
  }

  private void bindStream(String stream, MeterRegistry meters) {
    Tags tags = Tags.of("stream", stream);
    bind(
        meters,
        "uplift.stream.messages",
        tags,
        "messages of a stream",
        () -> stream(stream).map(info -> info.getStreamState().getMsgCount()));
    bind(
        meters,
        "uplift.stream.bytes",
        tags,
        "bytes of a stream",
        () -> stream(stream).map(info -> info.getStreamState().getByteCount()));
    bind(
        meters,
        "uplift.stream.replicas",
        tags,
        "replicas that a stream should have",
        () -> stream(stream).map(info -> (long) info.getConfiguration().getReplicas()));
    bind(
        meters,
        "uplift.stream.replicas.current",
        tags,
        "replicas that have all messages",
        () -> stream(stream).map(StreamMonitor::currentReplicas));
  }

  private void bindConsumer(String stream, String consumer, MeterRegistry meters) {
    Tags tags = Tags.of("stream", stream, "consumer", consumer);
    bind(
        meters,
        "uplift.consumer.pending",
        tags,
        "messages that were not delivered yet",
        () -> consumer(stream).map(ConsumerInfo::getNumPending));
    bind(
        meters,
        "uplift.consumer.unacknowledged",
        tags,
        "messages that were delivered and not acknowledged",
        () -> consumer(stream).map(ConsumerInfo::getNumAckPending));
    bind(
        meters,
        "uplift.consumer.redelivered",
        tags,
        "those of them that were delivered more than once",
        () -> consumer(stream).map(ConsumerInfo::getRedelivered));
  }

  private static void bind(
      MeterRegistry meters, String name, Tags tags, String description, Supplier<Optional<Long>> value) {
    Gauge.builder(name, () -> value.get().map(Long::doubleValue).orElse(Double.NaN))
        .description(description)
        .tags(tags)
        .register(meters);
  }

  private Optional<StreamInfo> stream(String name) {
    return Optional.ofNullable(found.streams().get(name));
  }

  private Optional<ConsumerInfo> consumer(String stream) {
    return Optional.ofNullable(found.consumers().get(stream));
  }

  /// The leader, and those that follow it. A server without a cluster names none.
  static long currentReplicas(StreamInfo info) {
    List<Replica> followers =
        Optional.ofNullable(info.getClusterInfo()).map(ClusterInfo::getReplicas).orElse(List.of());
    return 1 + followers.stream().filter(Replica::isCurrent).filter(each -> !each.isOffline()).count();
  }

  /// Starts to look. Once.
  public void start() {
    tasks.schedule(INTERVAL, "streams", this::check);
  }

  /// Looks now. Does nothing while the connection is down: what is missing is created when it comes up.
  void check() {
    if (!nats.status().connected()) {
      found = FoundStreams.NONE;
      return;
    }
    try {
      check(nats.connection());
    } catch (NatsUnavailable e) {
      found = FoundStreams.NONE;
      LOG.debug("the connection has just gone down", e);
    }
  }

  private void check(Connection connection) {
    try {
      FoundStreams now = StreamProvisioner.find(connection);
      found = now;
      nats.noteAnswer();
      report(now.missing());
    } catch (IOException | JetStreamApiException | IllegalStateException e) {
      found = FoundStreams.NONE;
      LOG.debug("the streams could not be looked at", e);
      nats.noteNoAnswer(connection);
    }
  }

  private void report(List<String> nowMissing) {
    if (!nowMissing.isEmpty()) {
      nats.initializeAgain();
    }
    if (!nowMissing.equals(missing)) {
      LOG.warn(
          nowMissing.isEmpty() ? "NATS has all streams and consumers again{}" : "NATS has lost {}, created again",
          nowMissing.isEmpty() ? "" : String.join(", ", nowMissing));
      missing = nowMissing;
    }
  }

  /// How far the consumer that all servers share has handled a stream.
  ///
  /// @param last sequence number of the newest message
  /// @param handled sequence number of a message; all up to it are handled
  public record StreamPosition(long last, long handled) {}

  /// Returns the positions when it last looked, by stream. Empty while nothing is known.
  public Map<String, StreamPosition> positions() {
    FoundStreams now = found;
    Map<String, StreamPosition> positions = new HashMap<>();
    now.streams()
        .forEach((stream, info) -> {
          ConsumerInfo consumer = now.consumers().get(stream);
          if (consumer != null) {
            positions.put(stream, position(info.getStreamState().getLastSequence(), consumer));
          }
        });
    return positions;
  }

  private static StreamPosition position(long last, ConsumerInfo consumer) {
    boolean isEmpty = consumer.getNumPending() == 0 && consumer.getNumAckPending() == 0;
    return new StreamPosition(last, isEmpty ? last : consumer.getAckFloor().getStreamSequence());
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
