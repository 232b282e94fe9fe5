package dev.uplift.activities.nats;

import dev.uplift.protocol.AgentInfo;
import dev.uplift.protocol.MalformedMessage;
import dev.uplift.protocol.Subjects;
import io.nats.client.Message;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;

/// What agents last said of themselves, whether or not it has been taken in.
public final class Infos {
  private static final Duration ANSWER = Duration.ofSeconds(5);

  private final NatsLink link;

  public Infos(NatsLink link) {
    this.link = link;
  }

  /// The newest of a host, as in its subjects `tenant.host`; empty if there is none, or none that
  /// can be read.
  ///
  /// @throws NatsAway where that cannot be found out now
  public Optional<AgentInfo> of(String host) {
    try {
      Message kept = link.connection().request(Subjects.directGetInfo(host), null, ANSWER);
      if (kept == null) {
        throw new IOException("no answer from stream " + Subjects.STATE);
      }
      return kept.isStatusMessage() ? Optional.empty() : read(kept);
    } catch (IOException | IllegalStateException e) {
      throw new NatsAway("info of " + host + ": " + e.getMessage(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new NatsAway("info of " + host + ": interrupted", e);
    }
  }

  private static Optional<AgentInfo> read(Message kept) {
    try {
      return Optional.of(AgentInfo.read(kept.getData()));
    } catch (MalformedMessage _) {
      // The inventory refuses it, and counts it.
      return Optional.empty();
    }
  }
}
