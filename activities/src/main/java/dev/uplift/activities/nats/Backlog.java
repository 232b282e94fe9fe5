package dev.uplift.activities.nats;

import dev.uplift.protocol.Subjects;
import io.nats.client.JetStreamApiException;
import io.nats.client.JetStreamManagement;
import io.nats.client.api.MessageInfo;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/// What hosts have said and no bridge has taken in yet.
public final class Backlog {
  private static final int NO_MESSAGE = 10037;
  private static final int AT_MOST = 1000;

  private final NatsLink link;

  public Backlog(NatsLink link) {
    this.link = link;
  }

  /// The events of a host, as in its subjects `tenant.host`, from the oldest one of all hosts that
  /// was not acknowledged. Some of them may have been taken in.
  ///
  /// @throws NatsAway where that cannot be found out now
  public List<byte[]> of(String host) {
    try {
      JetStreamManagement streams = link.connection().jetStreamManagement();
      long taken =
          streams.getConsumerInfo(Subjects.EVT, Subjects.BRIDGE).getAckFloor().getStreamSequence();
      return after(streams, taken, Subjects.events(host));
    } catch (IOException | JetStreamApiException | IllegalStateException e) {
      throw new NatsAway("events of " + host + ": " + e.getMessage(), e);
    }
  }

  private static List<byte[]> after(JetStreamManagement streams, long taken, String subject)
      throws IOException, JetStreamApiException {
    List<byte[]> events = new ArrayList<>();
    long sequence = taken;
    try {
      while (events.size() < AT_MOST) {
        MessageInfo next = streams.getNextMessage(Subjects.EVT, sequence + 1, subject);
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
