package dev.uplift.activities.nats;

import dev.uplift.protocol.AgentInfo;
import dev.uplift.protocol.Command;
import dev.uplift.protocol.Event;
import dev.uplift.protocol.SignedRoot;
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
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The streams and their consumers: what is kept, for how long, and how much of it. Creates what is
/// missing, and puts right what somebody has changed and would break a promise. How many replicas
/// there are and how many bytes they take belongs to the operator once a stream is there.
public final class Streams implements NatsLink.Attachment {
  /// The durable pull consumer on [Subjects#STATE] that all servers share.
  public static final String INVENTORY = "inventory";

  private static final Logger LOG = LoggerFactory.getLogger(Streams.class);
  private static final int NOT_FOUND = 10059;
  private static final int NO_ROOM = 10047;
  private static final long KIB = 1024;
  private static final long GIB = KIB * KIB * KIB;
  private static final long LEAST = 64 * KIB * KIB;

  private final int replicas;

  public Streams(int replicas) {
    this.replicas = replicas;
  }

  @Override
  public void attach(Connection connection) throws IOException, JetStreamApiException {
    JetStreamManagement streams = connection.jetStreamManagement();
    bring(streams, commands());
    bring(streams, events());
    bring(streams, state());
    bring(streams, roots());
    streams.addOrUpdateConsumer(Subjects.EVT, consumer(Subjects.BRIDGE));
    streams.addOrUpdateConsumer(Subjects.STATE, consumer(INVENTORY));
  }

  private StreamConfiguration commands() {
    return stream(Subjects.CMD, Subjects.ALL_COMMANDS, Command.MAX_BYTES, 4 * GIB)
        .maxMessagesPerSubject(1)
        .maxAge(Duration.ofDays(30))
        .duplicateWindow(Duration.ofMinutes(2))
        .allowDirect(true)
        .build();
  }

  private StreamConfiguration events() {
    return stream(Subjects.EVT, Subjects.ALL_EVENTS, Event.MAX_BYTES, 20 * GIB)
        // One mad host cannot push out what the others have said.
        .maxMessagesPerSubject(1000)
        .maxAge(Duration.ofDays(21))
        .duplicateWindow(Duration.ofMinutes(10))
        .denyPurge(true)
        .build();
  }

  /// Kept without an end: what a host was when it was last heard of.
  private StreamConfiguration state() {
    return stream(Subjects.STATE, Subjects.ALL_INFOS, AgentInfo.MAX_BYTES, 2 * GIB)
        .maxMessagesPerSubject(1)
        .duplicateWindow(Duration.ofMinutes(2))
        .allowDirect(true)
        .build();
  }

  /// Kept without an end: a host that was off for years goes through all of them.
  private StreamConfiguration roots() {
    return stream(Subjects.TRUST, Subjects.ALL_ROOTS, SignedRoot.MAX_BYTES, GIB / 4)
        .maxMessagesPerSubject(1)
        .duplicateWindow(Duration.ofMinutes(2))
        .allowDirect(true)
        .denyPurge(true)
        .build();
  }

  private StreamConfiguration.Builder stream(
      String name, String subject, int messageBytes, long bytes) {
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
        // With roll-up headers one host could wipe what the others have said.
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

  private static void bring(JetStreamManagement streams, StreamConfiguration wanted)
      throws IOException, JetStreamApiException {
    try {
      StreamConfiguration found = streams.getStreamInfo(wanted.getName()).getConfiguration();
      List<String> wrong = differences(found, wanted);
      if (!wrong.isEmpty()) {
        LOG.warn("stream {} is put right: {}", wanted.getName(), wrong);
        streams.updateStream(corrected(found, wanted));
      }
    } catch (JetStreamApiException e) {
      if (e.getApiErrorCode() != NOT_FOUND) {
        throw e;
      }
      create(streams, wanted);
    }
  }

  /// With fewer bytes where the server has not so many to give.
  private static void create(JetStreamManagement streams, StreamConfiguration wanted)
      throws IOException, JetStreamApiException {
    try {
      streams.addStream(wanted);
      LOG.info("stream {} is created, {} MiB", wanted.getName(), wanted.getMaxBytes() / KIB / KIB);
    } catch (JetStreamApiException e) {
      if (e.getApiErrorCode() != NO_ROOM || wanted.getMaxBytes() <= LEAST) {
        throw e;
      }
      create(
          streams, StreamConfiguration.builder(wanted).maxBytes(wanted.getMaxBytes() / 2).build());
    }
  }

  private static StreamConfiguration corrected(
      StreamConfiguration found, StreamConfiguration wanted) {
    return StreamConfiguration.builder(wanted)
        .replicas(found.getReplicas())
        .maxBytes(found.getMaxBytes())
        .placement(found.getPlacement())
        .metadata(found.getMetadata())
        .build();
  }

  private record Promise(String name, Function<StreamConfiguration, @Nullable Object> of) {}

  private static final List<Promise> PROMISES =
      List.of(
          new Promise("subjects", StreamConfiguration::getSubjects),
          new Promise("retention", StreamConfiguration::getRetentionPolicy),
          new Promise("storage", StreamConfiguration::getStorageType),
          new Promise("discard", StreamConfiguration::getDiscardPolicy),
          new Promise("max_msg_size", StreamConfiguration::getMaximumMessageSize),
          new Promise("max_msgs_per_subject", StreamConfiguration::getMaxMsgsPerSubject),
          new Promise("max_age", StreamConfiguration::getMaxAge),
          new Promise("max_consumers", StreamConfiguration::getMaxConsumers),
          new Promise("duplicate_window", StreamConfiguration::getDuplicateWindow),
          new Promise("allow_direct", StreamConfiguration::getAllowDirect),
          new Promise("allow_rollup", StreamConfiguration::getAllowRollup),
          new Promise("deny_delete", StreamConfiguration::getDenyDelete),
          new Promise("deny_purge", StreamConfiguration::getDenyPurge));

  private static List<String> differences(StreamConfiguration found, StreamConfiguration wanted) {
    return PROMISES.stream()
        .filter(promise -> !Objects.equals(promise.of.apply(found), promise.of.apply(wanted)))
        .map(promise ->
            promise.name + " " + promise.of.apply(found) + " to " + promise.of.apply(wanted))
        .toList();
  }
}
