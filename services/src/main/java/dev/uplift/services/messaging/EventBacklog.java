package dev.uplift.services.messaging;

import dev.uplift.protocol.Subjects;
import io.nats.client.JetStreamApiException;
import io.nats.client.JetStreamManagement;
import io.nats.client.api.MessageInfo;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/// Reads events of a host past the event consumers: those that none has acknowledged yet, or all that are kept.
@Singleton
public final class EventBacklog {
  private static final int NO_MESSAGE = 10037;
  private static final int MAX_EVENTS = 1000;

  private final NatsConnection nats;

  public EventBacklog(NatsConnection nats) {
    this.nats = nats;
  }

  /// Returns the events of a host, named as in its subjects, `tenant.host`, from the oldest event of all hosts that was
  /// not acknowledged. Some of them may have been processed.
  ///
  /// @throws NatsUnavailable if they cannot be read now
  public List<byte[]> read(String host) {
    return readAfter(
        host,
        streams ->
            streams.getConsumerInfo(Subjects.EVENT_STREAM, Subjects.EVENT_CONSUMER).getAckFloor().getStreamSequence());
  }

  /// Returns all events of a host, named as above, that the stream has.
  ///
  /// @throws NatsUnavailable if they cannot be read now
  public List<byte[]> readAll(String host) {
    return readAfter(host, _ -> 0);
  }

  /// Determines the sequence after which events are read.
  private interface Position {
    long of(JetStreamManagement streams) throws IOException, JetStreamApiException;
  }

  private List<byte[]> readAfter(String host, Position position) {
    try {
      JetStreamManagement streams = nats.connection().jetStreamManagement();
      return readAfter(streams, position.of(streams), Subjects.events(host));
    } catch (IOException | JetStreamApiException | IllegalStateException e) {
      throw new NatsUnavailable("events of " + host + ": " + e.getMessage(), e);
    }
  }

  private static List<byte[]> readAfter(JetStreamManagement streams, long taken, String subject)
      throws IOException, JetStreamApiException {
    List<byte[]> events = new ArrayList<>();
    long sequence = taken;
    try {
      while (events.size() < MAX_EVENTS) {
        MessageInfo next = streams.getNextMessage(Subjects.EVENT_STREAM, sequence + 1, subject);
        events.add(next.getData());
        sequence = next.getSeq();
      }
    } catch (JetStreamApiException e) {
      if (e.getApiErrorCode() != NO_MESSAGE) {
        throw e;
      }
    }
    return events;
  }
}
