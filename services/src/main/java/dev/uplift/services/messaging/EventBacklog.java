package dev.uplift.services.messaging;

import dev.uplift.protocol.Subjects;
import io.nats.client.JetStreamApiException;
import io.nats.client.JetStreamManagement;
import io.nats.client.api.MessageInfo;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/// Reads events that no event consumer has acknowledged yet.
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
    try {
      JetStreamManagement streams = nats.connection().jetStreamManagement();
      long taken =
          streams.getConsumerInfo(Subjects.EVENT_STREAM, Subjects.EVENT_CONSUMER).getAckFloor().getStreamSequence();
      return readAfter(streams, taken, Subjects.events(host));
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
