package dev.uplift.services.messaging;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.uplift.protocol.Command;
import dev.uplift.protocol.Subjects;
import dev.uplift.protocol.json.MalformedMessage;
import dev.uplift.services.tracing.TraceHeader;
import io.nats.client.Connection;
import io.nats.client.JetStreamApiException;
import io.nats.client.Message;
import io.nats.client.PublishOptions;
import io.nats.client.PurgeOptions;
import io.nats.client.api.PublishAck;
import io.nats.client.api.StreamInfoOptions;
import io.nats.client.impl.Headers;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Publishes the latest command of each host to the stream that keeps one message per subject. A host is named as in
/// its subjects, `tenant.host`.
@Singleton
public final class LatestCommandStream {
  private static final String SEQUENCE = "Nats-Sequence";
  private static final int NOT_FOUND = 404;

  /// The stream's errors if the last sequence of the subject is not the expected one.
  private static final Set<Integer> CONFLICTS = Set.of(10071, 10164);

  private static final int MAX_ATTEMPTS = 3;
  private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(5);

  private final NatsConnection nats;

  public LatestCommandStream(NatsConnection nats) {
    this.nats = nats;
  }

  /// The last message of a subject; sequence 0 if there is none.
  private record StoredCommand(long sequence, String id, long epoch, String signature) {
    static final StoredCommand NONE = new StoredCommand(0, "", 0, "");

    boolean isSignedByAnother(CommandMessage commandMessage) {
      return id.equals(commandMessage.command().id()) && !signature.equals(commandMessage.signature());
    }
  }

  /// A request to the stream.
  private interface StreamRequest {
    long send(Connection connection) throws IOException, JetStreamApiException, InterruptedException;
  }

  /// Replaces the command that waits for the host, and notifies the host, again if the same command is there already.
  /// Returns the sequence of the stream.
  ///
  /// @throws StaleEpoch if a newer command waits, which stays
  /// @throws NatsUnavailable if it failed or is not certain; may be tried again
  public long publish(String host, CommandMessage commandMessage) {
    return attempt("command for " + host, connection -> publishWithRetries(connection, host, commandMessage));
  }

  /// The previous command is often purged at the very moment at which its answer leads to this one: then the last
  /// message is read again.
  private static long publishWithRetries(Connection connection, String host, CommandMessage commandMessage)
      throws IOException, JetStreamApiException, InterruptedException {
    for (int tries = 1; ; tries++) {
      StoredCommand before = read(connection, host);
      rejectIfNewer(host, commandMessage, before);
      try {
        return publishIfUnchanged(connection, host, commandMessage, before);
      } catch (JetStreamApiException e) {
        if (tries == MAX_ATTEMPTS || !CONFLICTS.contains(e.getApiErrorCode())) {
          throw e;
        }
      }
    }
  }

  private static long publishIfUnchanged(
      Connection connection, String host, CommandMessage commandMessage, StoredCommand before)
      throws IOException, JetStreamApiException {
    if (before.isSignedByAnother(commandMessage)) {
      // Without its message id, because the stream would drop it as a duplicate.
      return publishIfUnchanged(connection, host, commandMessage, before, null).getSeqno();
    }
    PublishAck ack = publishIfUnchanged(connection, host, commandMessage, before, commandMessage.command().id());
    boolean isThere = before.id.equals(commandMessage.command().id()) || !ack.isDuplicate();
    // If not, it was purged while the stream still remembers its message id.
    return (isThere ? ack : publishIfUnchanged(connection, host, commandMessage, before, null)).getSeqno();
  }

  /// Removes the host's command if it is one of these. A newer one stays.
  ///
  /// @throws NatsUnavailable if it failed or is not certain; may be tried again
  public void purge(String host, Set<String> ids) {
    attempt(
        "removing the command of " + host,
        connection -> {
          StoredCommand storedCommand = read(connection, host);
          if (ids.contains(storedCommand.id)) {
            PurgeOptions upToIt =
                PurgeOptions.builder().subject(Subjects.command(host)).sequence(storedCommand.sequence + 1).build();
            connection.jetStreamManagement().purgeStream(Subjects.COMMAND_STREAM, upToIt);
          }
          return storedCommand.sequence;
        });
  }

  /// Returns the hosts for which a command waits.
  ///
  /// @throws NatsUnavailable if it failed; may be tried again
  public List<String> listHosts() {
    List<String> hosts = new ArrayList<>();
    attempt(
        "listing the commands",
        connection -> {
          var all = StreamInfoOptions.filterSubjects(Subjects.ALL_COMMANDS);
          var subjects = connection.jetStreamManagement().getStreamInfo(Subjects.COMMAND_STREAM, all).getStreamState();
          subjects.getSubjects().forEach(subject -> hosts.add(Subjects.hostAddressOf(subject.getName())));
          return hosts.size();
        });
    return hosts;
  }

  /// Returns the id of the command that waits for the host; an empty one of a message that no agent can read.
  ///
  /// @throws NatsUnavailable if it failed; may be tried again
  public Optional<String> findId(String host) {
    List<StoredCommand> found = new ArrayList<>();
    attempt(
        "the command of " + host,
        connection -> {
          found.add(read(connection, host));
          return found.getFirst().sequence;
        });
    return found.stream().filter(stored -> stored.sequence > 0).map(StoredCommand::id).findFirst();
  }

  private long attempt(String what, StreamRequest streamRequest) {
    try {
      return streamRequest.send(nats.connection());
    } catch (IOException | JetStreamApiException | IllegalStateException e) {
      throw new NatsUnavailable(what + ": " + e.getMessage(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new NatsUnavailable(what + ": interrupted", e);
    }
  }

  private static void rejectIfNewer(String host, CommandMessage commandMessage, StoredCommand storedCommand) {
    if (storedCommand.epoch > commandMessage.command().epoch()) {
      throw new StaleEpoch(host, commandMessage.command().epoch(), storedCommand.epoch, storedCommand.id);
    }
  }

  private static PublishAck publishIfUnchanged(
      Connection connection,
      String host,
      CommandMessage commandMessage,
      StoredCommand before,
      @Nullable String messageId)
      throws IOException, JetStreamApiException {
    PublishOptions.Builder options =
        PublishOptions.builder()
            .expectedStream(Subjects.COMMAND_STREAM)
            .expectedLastSubjectSequence(before.sequence)
            .streamTimeout(REQUEST_TIMEOUT);
    if (messageId != null) {
      options.messageId(messageId);
    }
    Headers headers = new Headers().put(Command.SIGNATURE_HEADER, commandMessage.signature());
    TraceHeader.current().ifPresent(value -> headers.put(Command.TRACE_HEADER, value));
    return connection
        .jetStream()
        .publish(Subjects.command(host), headers, commandMessage.body().getBytes(UTF_8), options.build());
  }

  private static StoredCommand read(Connection connection, String host) throws IOException, InterruptedException {
    Message answer = connection.request(Subjects.directGetCommand(host), null, REQUEST_TIMEOUT);
    if (answer == null) {
      throw new IOException("no answer from stream " + Subjects.COMMAND_STREAM);
    }
    if (answer.isStatusMessage()) {
      if (answer.getStatus().getCode() == NOT_FOUND) {
        return StoredCommand.NONE;
      }
      throw new IOException("stream " + Subjects.COMMAND_STREAM + " says " + answer.getStatus().getMessage());
    }
    String signature = answer.getHeaders().getFirst(Command.SIGNATURE_HEADER);
    return parse(
        Long.parseLong(answer.getHeaders().getFirst(SEQUENCE)), answer.getData(), signature == null ? "" : signature);
  }

  private static StoredCommand parse(long sequence, byte[] body, String signature) {
    try {
      Command command = Command.read(body);
      return new StoredCommand(sequence, command.id(), command.epoch(), signature);
    } catch (MalformedMessage _) {
      // No agent can read it, so it may be replaced.
      return new StoredCommand(sequence, "", 0, "");
    }
  }
}
