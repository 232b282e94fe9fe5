package dev.uplift.services.messaging;

import dev.uplift.protocol.AgentInfo;
import dev.uplift.protocol.Subjects;
import dev.uplift.protocol.json.MalformedMessage;
import io.nats.client.Message;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;

/// Reads the newest info of an agent from its stream, consumed or not.
@Singleton
public final class AgentInfoReader {
  private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(5);

  private final NatsConnection nats;

  public AgentInfoReader(NatsConnection nats) {
    this.nats = nats;
  }

  /// Returns the newest info of a host, named as in its subjects, `tenant.host`; empty if there is none, or if it is
  /// malformed.
  ///
  /// @throws NatsUnavailable if the stream cannot be read now
  public Optional<AgentInfo> readLatest(String host) {
    try {
      Message kept = nats.connection().request(Subjects.directGetInfo(host), null, REQUEST_TIMEOUT);
      if (kept == null) {
        throw new IOException("no answer from stream " + Subjects.INFO_STREAM);
      }
      return kept.isStatusMessage() ? Optional.empty() : parse(kept);
    } catch (IOException | IllegalStateException e) {
      throw new NatsUnavailable("info of " + host + ": " + e.getMessage(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new NatsUnavailable("info of " + host + ": interrupted", e);
    }
  }

  private static Optional<AgentInfo> parse(Message kept) {
    try {
      return Optional.of(AgentInfo.read(kept.getData()));
    } catch (MalformedMessage _) {
      // HostInventory rejects it, and counts it.
      return Optional.empty();
    }
  }
}
