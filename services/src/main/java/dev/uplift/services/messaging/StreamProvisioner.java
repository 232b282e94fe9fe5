package dev.uplift.services.messaging;

import dev.uplift.protocol.AgentInfo;
import dev.uplift.protocol.Command;
import dev.uplift.protocol.Event;
import dev.uplift.protocol.SignedTrustRoot;
import dev.uplift.protocol.Subjects;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.nats.client.Connection;
import io.nats.client.JetStreamApiException;
import io.nats.client.JetStreamManagement;
import io.nats.client.api.AckPolicy;
import io.nats.client.api.ConsumerConfiguration;
import io.nats.client.api.ConsumerInfo;
import io.nats.client.api.DeliverPolicy;
import io.nats.client.api.DiscardPolicy;
import io.nats.client.api.RetentionPolicy;
import io.nats.client.api.StorageType;
import io.nats.client.api.StreamConfiguration;
import io.nats.client.api.StreamInfo;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The streams and their consumers, with their limits. Creates missing ones, and corrects changes that would break a
/// guarantee. Keeps the placement, the number of replicas and the bytes that the operator has given to an existing
/// stream.
public final class StreamProvisioner implements NatsConnection.ConnectionInitializer {
  /// The durable pull consumer on [Subjects#INFO_STREAM] that all servers share.
  public static final String INVENTORY_CONSUMER = "inventory";

  static final List<String> STREAMS =
      List.of(Subjects.COMMAND_STREAM, Subjects.EVENT_STREAM, Subjects.INFO_STREAM, Subjects.TRUST_STREAM);

  /// By stream.
  static final Map<String, String> CONSUMERS =
      Map.of(Subjects.EVENT_STREAM, Subjects.EVENT_CONSUMER, Subjects.INFO_STREAM, INVENTORY_CONSUMER);

  private static final Logger LOG = LoggerFactory.getLogger(StreamProvisioner.class);
  private static final int NOT_FOUND = 10059;
  private static final int INSUFFICIENT_STORAGE = 10047;
  private static final Set<Integer> NO_PEERS = Set.of(10005, 10023, 10074);

  /// NATS refuses less.
  private static final Duration MIN_DUPLICATE_WINDOW = Duration.ofMillis(100);

  /// Metadata of a stream that was created with fewer bytes than wanted: how many. It grows as soon as it can, unless
  /// an operator has set its size since.
  private static final String REDUCED_TO = "uplift-reduced-to";

  private static final long KIB = 1024;
  private static final long MIN_BYTES = 64 * KIB * KIB;

  private final StreamPlacement placement;
  private final StreamSizes sizes;

  /// How many bytes each stream has, and should have, for the metrics.
  private final Map<String, StreamSize> found = new ConcurrentHashMap<>();

  record StreamSize(long bytes, long wanted) {}

  public StreamProvisioner(StreamPlacement placement, StreamSizes sizes, MeterRegistry meters) {
    this.placement = placement;
    this.sizes = sizes;
    STREAMS.forEach(stream -> {
      Gauge.builder("uplift.stream.max.bytes", found, all -> size(all, stream).bytes())
          .description("bytes that a stream may have")
          .tag("stream", stream)
          .register(meters);
      Gauge.builder("uplift.stream.wanted.bytes", found, all -> size(all, stream).wanted())
          .description("bytes that a stream was to have when it was created")
          .tag("stream", stream)
          .register(meters);
    });
  }

  /// With the default sizes, and without metrics.
  public StreamProvisioner(int replicas) {
    this(new StreamPlacement(replicas), StreamSizes.DEFAULTS, new SimpleMeterRegistry());
  }

  private static StreamSize size(Map<String, StreamSize> all, String stream) {
    return all.getOrDefault(stream, new StreamSize(0, 0));
  }

  @Override
  public void initialize(Connection connection) throws IOException, JetStreamApiException {
    JetStreamManagement streams = connection.jetStreamManagement();
    ensure(streams, commands());
    ensure(streams, events());
    ensure(streams, state());
    ensure(streams, roots());
    for (Map.Entry<String, String> each : CONSUMERS.entrySet()) {
      streams.addOrUpdateConsumer(each.getKey(), consumer(each.getValue()));
    }
  }

  /// The streams and consumers as NATS has them.
  ///
  /// @param missing those that it does not have, as people name them
  /// @param streams by name
  /// @param consumers by the name of their stream
  record FoundStreams(List<String> missing, Map<String, StreamInfo> streams, Map<String, ConsumerInfo> consumers) {
    static final FoundStreams NONE = new FoundStreams(List.of(), Map.of(), Map.of());
  }

  static FoundStreams find(Connection connection) throws IOException, JetStreamApiException {
    JetStreamManagement management = connection.jetStreamManagement();
    Map<String, StreamInfo> streams = new HashMap<>();
    management.getStreams().forEach(stream -> streams.put(stream.getConfiguration().getName(), stream));
    Map<String, ConsumerInfo> consumers = new HashMap<>();
    for (Map.Entry<String, String> each : CONSUMERS.entrySet()) {
      if (streams.containsKey(each.getKey())) {
        management.getConsumers(each.getKey()).stream()
            .filter(consumer -> consumer.getName().equals(each.getValue()))
            .forEach(consumer -> consumers.put(each.getKey(), consumer));
      }
    }
    return new FoundStreams(missing(streams, consumers), streams, consumers);
  }

  private static List<String> missing(Map<String, StreamInfo> streams, Map<String, ConsumerInfo> consumers) {
    List<String> missing = new ArrayList<>();
    STREAMS.stream().filter(name -> !streams.containsKey(name)).map(name -> "stream " + name).forEach(missing::add);
    CONSUMERS.forEach((stream, consumer) -> {
      if (streams.containsKey(stream) && !consumers.containsKey(stream)) {
        missing.add("consumer %s of %s".formatted(consumer, stream));
      }
    });
    return missing;
  }

  private StreamConfiguration commands() {
    return stream(Subjects.COMMAND_STREAM, Subjects.ALL_COMMANDS, Command.MAX_BYTES, sizes.commands())
        .maxMessagesPerSubject(1)
        .maxAge(Duration.ofDays(30))
        .duplicateWindow(Duration.ofMinutes(2))
        .allowDirect(true)
        .build();
  }

  private StreamConfiguration events() {
    return stream(Subjects.EVENT_STREAM, Subjects.ALL_EVENTS, Event.MAX_BYTES, sizes.events())
        // One faulty host cannot displace the messages of others.
        .maxMessagesPerSubject(1000)
        .maxAge(Duration.ofDays(21))
        // A message id counts for the whole stream, so one host could have the events of another one dropped. The
        // tables bear the same event twice.
        .duplicateWindow(MIN_DUPLICATE_WINDOW)
        .denyPurge(true)
        .build();
  }

  /// Kept for ever: the last info of each host.
  private StreamConfiguration state() {
    return stream(Subjects.INFO_STREAM, Subjects.ALL_INFOS, AgentInfo.MAX_BYTES, sizes.infos())
        .maxMessagesPerSubject(1)
        .duplicateWindow(Duration.ofMinutes(2))
        .allowDirect(true)
        .build();
  }

  /// Kept for ever: a host that was off for years applies all of them.
  private StreamConfiguration roots() {
    return stream(Subjects.TRUST_STREAM, Subjects.ALL_ROOTS, SignedTrustRoot.MAX_BYTES, sizes.roots())
        .maxMessagesPerSubject(1)
        .duplicateWindow(Duration.ofMinutes(2))
        .allowDirect(true)
        .denyPurge(true)
        .build();
  }

  private StreamConfiguration.Builder stream(String name, String subject, int messageBytes, long bytes) {
    StreamConfiguration.Builder stream = StreamConfiguration.builder();
    placement.toNats().ifPresent(stream::placement);
    return stream
        .name(name)
        .subjects(subject)
        .retentionPolicy(RetentionPolicy.Limits)
        .storageType(StorageType.File)
        .discardPolicy(DiscardPolicy.Old)
        .replicas(placement.replicas())
        .maximumMessageSize(messageBytes)
        .maxBytes(bytes)
        .maxConsumers(16)
        .denyDelete(true)
        // With roll-up headers one host could remove the messages of others.
        .allowRollup(false);
  }

  private static ConsumerConfiguration consumer(String name) {
    return ConsumerConfiguration.builder()
        .durable(name)
        .deliverPolicy(DeliverPolicy.All)
        .ackPolicy(AckPolicy.Explicit)
        .ackWait(Duration.ofSeconds(30))
        .maxDeliver(-1)
        .maxAckPending(4096)
        .build();
  }

  private void ensure(JetStreamManagement streams, StreamConfiguration wanted)
      throws IOException, JetStreamApiException {
    try {
      StreamConfiguration current = streams.getStreamInfo(wanted.getName()).getConfiguration();
      List<String> wrong = differences(current, wanted);
      if (!wrong.isEmpty()) {
        LOG.warn("stream {} is corrected: {}", wanted.getName(), wrong);
        current = streams.updateStream(corrected(current, wanted)).getConfiguration();
      }
      long bytes = isReduced(current) ? grow(streams, current, wanted.getMaxBytes()) : current.getMaxBytes();
      found.put(wanted.getName(), new StreamSize(bytes, wanted.getMaxBytes()));
    } catch (JetStreamApiException e) {
      if (e.getApiErrorCode() != NOT_FOUND) {
        throw e;
      }
      long bytes = create(streams, wanted, wanted.getMaxBytes());
      found.put(wanted.getName(), new StreamSize(bytes, wanted.getMaxBytes()));
    }
  }

  /// Creates the stream, with fewer bytes if the server does not have that many. Returns how many.
  private long create(JetStreamManagement streams, StreamConfiguration wanted, long bytes)
      throws IOException, JetStreamApiException {
    try {
      streams.addStream(withBytes(wanted, bytes, wanted.getMaxBytes()));
      LOG.info("stream {} is created, {} MiB", wanted.getName(), bytes / KIB / KIB);
      if (bytes < wanted.getMaxBytes()) {
        LOG.warn(
            "stream {} has {} MiB instead of {}: NATS has no more space; the oldest messages are dropped sooner",
            wanted.getName(),
            bytes / KIB / KIB,
            wanted.getMaxBytes() / KIB / KIB);
      }
      return bytes;
    } catch (JetStreamApiException e) {
      if (NO_PEERS.contains(e.getApiErrorCode())) {
        throw new StreamPlacement.Refused(wanted.getName(), placement, e);
      }
      if (e.getApiErrorCode() != INSUFFICIENT_STORAGE || bytes <= MIN_BYTES) {
        throw e;
      }
      return create(streams, wanted, bytes / 2);
    }
  }

  private static boolean isReduced(StreamConfiguration current) {
    Map<String, String> metadata = current.getMetadata();
    return metadata != null && Long.toString(current.getMaxBytes()).equals(metadata.get(REDUCED_TO));
  }

  /// Gives a reduced stream as many of the wanted bytes as there are now. Returns how many.
  private static long grow(JetStreamManagement streams, StreamConfiguration current, long wanted)
      throws IOException, JetStreamApiException {
    for (long bytes = wanted; bytes > current.getMaxBytes(); bytes /= 2) {
      try {
        streams.updateStream(withBytes(current, bytes, wanted));
        LOG.info("stream {} has grown to {} MiB", current.getName(), bytes / KIB / KIB);
        return bytes;
      } catch (JetStreamApiException e) {
        if (e.getApiErrorCode() != INSUFFICIENT_STORAGE) {
          throw e;
        }
      }
    }
    LOG.warn(
        "stream {} still has {} MiB instead of {}: NATS has no more space",
        current.getName(),
        current.getMaxBytes() / KIB / KIB,
        wanted / KIB / KIB);
    return current.getMaxBytes();
  }

  private static StreamConfiguration withBytes(StreamConfiguration stream, long bytes, long wanted) {
    Map<String, String> metadata = new HashMap<>(stream.getMetadata() == null ? Map.of() : stream.getMetadata());
    if (bytes < wanted) {
      metadata.put(REDUCED_TO, Long.toString(bytes));
    } else {
      metadata.remove(REDUCED_TO);
    }
    return StreamConfiguration.builder(stream).maxBytes(bytes).metadata(metadata).build();
  }

  private static StreamConfiguration corrected(StreamConfiguration found, StreamConfiguration wanted) {
    return StreamConfiguration.builder(wanted)
        .replicas(found.getReplicas())
        .maxBytes(found.getMaxBytes())
        .placement(found.getPlacement())
        .metadata(found.getMetadata())
        .build();
  }

  private record RequiredSetting(String name, Function<StreamConfiguration, @Nullable Object> value) {}

  private static final List<RequiredSetting> REQUIRED_SETTINGS =
      List.of(
          new RequiredSetting("subjects", StreamConfiguration::getSubjects),
          new RequiredSetting("retention", StreamConfiguration::getRetentionPolicy),
          new RequiredSetting("storage", StreamConfiguration::getStorageType),
          new RequiredSetting("discard", StreamConfiguration::getDiscardPolicy),
          new RequiredSetting("max_msg_size", StreamConfiguration::getMaximumMessageSize),
          new RequiredSetting("max_msgs_per_subject", StreamConfiguration::getMaxMsgsPerSubject),
          new RequiredSetting("max_age", StreamConfiguration::getMaxAge),
          new RequiredSetting("max_consumers", StreamConfiguration::getMaxConsumers),
          new RequiredSetting("duplicate_window", StreamConfiguration::getDuplicateWindow),
          new RequiredSetting("allow_direct", StreamConfiguration::getAllowDirect),
          new RequiredSetting("allow_rollup", StreamConfiguration::getAllowRollup),
          new RequiredSetting("deny_delete", StreamConfiguration::getDenyDelete),
          new RequiredSetting("deny_purge", StreamConfiguration::getDenyPurge));

  private static List<String> differences(StreamConfiguration found, StreamConfiguration wanted) {
    return REQUIRED_SETTINGS.stream()
        .filter(
            requiredSetting -> !Objects.equals(requiredSetting.value.apply(found), requiredSetting.value.apply(wanted)))
        .map(requiredSetting ->
            requiredSetting.name
                + " "
                + requiredSetting.value.apply(found)
                + " to "
                + requiredSetting.value.apply(wanted))
        .toList();
  }
}
