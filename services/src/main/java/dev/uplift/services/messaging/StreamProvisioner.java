package dev.uplift.services.messaging;

import dev.uplift.protocol.AgentInfo;
import dev.uplift.protocol.Command;
import dev.uplift.protocol.Event;
import dev.uplift.protocol.SignedTrustRoot;
import dev.uplift.protocol.Subjects;
import io.nats.client.Connection;
import io.nats.client.JetStreamApiException;
import io.nats.client.JetStreamManagement;
import io.nats.client.api.AckPolicy;
import io.nats.client.api.ConsumerConfiguration;
import io.nats.client.api.DeliverPolicy;
import io.nats.client.api.DiscardPolicy;
import io.nats.client.api.RetentionPolicy;
import io.nats.client.api.StorageType;
import io.nats.client.api.StreamConfiguration;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The streams and their consumers, with their limits. Creates missing ones, and corrects changes that would break a
/// guarantee. Keeps the number of replicas and bytes that the operator has given to an existing stream.
public final class StreamProvisioner implements NatsConnection.ConnectionInitializer {
  /// The durable pull consumer on [Subjects#INFO_STREAM] that all servers share.
  public static final String INVENTORY_CONSUMER = "inventory";

  private static final List<String> STREAMS =
      List.of(Subjects.COMMAND_STREAM, Subjects.EVENT_STREAM, Subjects.INFO_STREAM, Subjects.TRUST_STREAM);

  /// By stream.
  private static final Map<String, String> CONSUMERS =
      Map.of(Subjects.EVENT_STREAM, Subjects.EVENT_CONSUMER, Subjects.INFO_STREAM, INVENTORY_CONSUMER);

  private static final Logger LOG = LoggerFactory.getLogger(StreamProvisioner.class);
  private static final int NOT_FOUND = 10059;
  private static final int INSUFFICIENT_STORAGE = 10047;
  private static final long KIB = 1024;
  private static final long GIB = KIB * KIB * KIB;
  private static final long MIN_BYTES = 64 * KIB * KIB;

  private final int replicas;

  public StreamProvisioner(int replicas) {
    this.replicas = replicas;
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

  /// Returns the streams and consumers that the server does not have, as people name them.
  static List<String> findMissing(Connection connection) throws IOException, JetStreamApiException {
    JetStreamManagement streams = connection.jetStreamManagement();
    Set<String> found = Set.copyOf(streams.getStreamNames());
    List<String> missing = new ArrayList<>();
    STREAMS.stream().filter(name -> !found.contains(name)).map(name -> "stream " + name).forEach(missing::add);
    for (Map.Entry<String, String> each : CONSUMERS.entrySet()) {
      if (found.contains(each.getKey()) && !streams.getConsumerNames(each.getKey()).contains(each.getValue())) {
        missing.add("consumer %s of %s".formatted(each.getValue(), each.getKey()));
      }
    }
    return missing;
  }

  private StreamConfiguration commands() {
    return stream(Subjects.COMMAND_STREAM, Subjects.ALL_COMMANDS, Command.MAX_BYTES, 4 * GIB)
        .maxMessagesPerSubject(1)
        .maxAge(Duration.ofDays(30))
        .duplicateWindow(Duration.ofMinutes(2))
        .allowDirect(true)
        .build();
  }

  private StreamConfiguration events() {
    return stream(Subjects.EVENT_STREAM, Subjects.ALL_EVENTS, Event.MAX_BYTES, 20 * GIB)
        // One faulty host cannot displace the messages of others.
        .maxMessagesPerSubject(1000)
        .maxAge(Duration.ofDays(21))
        .duplicateWindow(Duration.ofMinutes(10))
        .denyPurge(true)
        .build();
  }

  /// Kept for ever: the last info of each host.
  private StreamConfiguration state() {
    return stream(Subjects.INFO_STREAM, Subjects.ALL_INFOS, AgentInfo.MAX_BYTES, 2 * GIB)
        .maxMessagesPerSubject(1)
        .duplicateWindow(Duration.ofMinutes(2))
        .allowDirect(true)
        .build();
  }

  /// Kept for ever: a host that was off for years applies all of them.
  private StreamConfiguration roots() {
    return stream(Subjects.TRUST_STREAM, Subjects.ALL_ROOTS, SignedTrustRoot.MAX_BYTES, GIB / 4)
        .maxMessagesPerSubject(1)
        .duplicateWindow(Duration.ofMinutes(2))
        .allowDirect(true)
        .denyPurge(true)
        .build();
  }

  private StreamConfiguration.Builder stream(String name, String subject, int messageBytes, long bytes) {
    return StreamConfiguration.builder()
        .name(name)
        .subjects(subject)
        .retentionPolicy(RetentionPolicy.Limits)
        .storageType(StorageType.File)
        .discardPolicy(DiscardPolicy.Old)
        .replicas(replicas)
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

  private static void ensure(JetStreamManagement streams, StreamConfiguration wanted)
      throws IOException, JetStreamApiException {
    try {
      StreamConfiguration found = streams.getStreamInfo(wanted.getName()).getConfiguration();
      List<String> wrong = differences(found, wanted);
      if (!wrong.isEmpty()) {
        LOG.warn("stream {} is corrected: {}", wanted.getName(), wrong);
        streams.updateStream(corrected(found, wanted));
      }
    } catch (JetStreamApiException e) {
      if (e.getApiErrorCode() != NOT_FOUND) {
        throw e;
      }
      create(streams, wanted);
    }
  }

  /// Creates the stream, with fewer bytes if the server does not have that many.
  private static void create(JetStreamManagement streams, StreamConfiguration wanted)
      throws IOException, JetStreamApiException {
    try {
      streams.addStream(wanted);
      LOG.info("stream {} is created, {} MiB", wanted.getName(), wanted.getMaxBytes() / KIB / KIB);
    } catch (JetStreamApiException e) {
      if (e.getApiErrorCode() != INSUFFICIENT_STORAGE || wanted.getMaxBytes() <= MIN_BYTES) {
        throw e;
      }
      create(streams, StreamConfiguration.builder(wanted).maxBytes(wanted.getMaxBytes() / 2).build());
    }
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
