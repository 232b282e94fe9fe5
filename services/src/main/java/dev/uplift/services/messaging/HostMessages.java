package dev.uplift.services.messaging;

import dev.uplift.protocol.Subjects;
import io.nats.client.Connection;
import io.nats.client.JetStreamApiException;
import io.nats.client.JetStreamManagement;
import io.nats.client.PurgeOptions;
import jakarta.inject.Singleton;
import java.io.IOException;

/// The messages that the streams keep for one host. It is named as in its subjects, `tenant.host`; `tenant.*` are all
/// hosts of the tenant. Events and roots are none of them: their streams permit no removal.
@Singleton
public final class HostMessages {
  private final NatsConnection nats;

  public HostMessages(NatsConnection nats) {
    this.nats = nats;
  }

  /// Removes the host's command and its info.
  ///
  /// @throws NatsUnavailable if it failed or is not certain; may be tried again
  public void purge(String host) {
    Connection connection = nats.connection();
    try {
      JetStreamManagement streams = connection.jetStreamManagement();
      streams.purgeStream(Subjects.COMMAND_STREAM, PurgeOptions.subject(Subjects.command(host)));
      streams.purgeStream(Subjects.INFO_STREAM, PurgeOptions.subject(Subjects.info(host)));
    } catch (IOException | JetStreamApiException | IllegalStateException e) {
      throw new NatsUnavailable("removing the messages of " + host + ": " + e.getMessage(), e);
    }
  }
}
