package dev.uplift.activities.nats;

import dev.uplift.protocol.Subjects;
import io.nats.client.Connection;
import io.nats.client.JetStreamApiException;
import io.nats.client.JetStreamManagement;
import io.nats.client.PurgeOptions;
import java.io.IOException;

/// All that the streams keep of one host alone. A host is named as in its subjects, `tenant.host`.
public final class HostSlots {
  private final NatsLink link;

  public HostSlots(NatsLink link) {
    this.link = link;
  }

  /// Neither a command waits for the host any more, nor is there a word of what it is.
  ///
  /// @throws NatsAway where that could not be done or is not certain; may be tried again
  public void clear(String host) {
    Connection connection = link.connection();
    try {
      JetStreamManagement streams = connection.jetStreamManagement();
      streams.purgeStream(Subjects.CMD, PurgeOptions.subject(Subjects.command(host)));
      streams.purgeStream(Subjects.STATE, PurgeOptions.subject(Subjects.info(host)));
    } catch (IOException | JetStreamApiException | IllegalStateException e) {
      throw new NatsAway("clearing what is kept of " + host + ": " + e.getMessage(), e);
    }
  }
}
