package dev.uplift.activities.nats;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.uplift.protocol.Command;
import dev.uplift.protocol.MalformedMessage;
import dev.uplift.protocol.Subjects;
import io.nats.client.Connection;
import io.nats.client.JetStreamApiException;
import io.nats.client.Message;
import io.nats.client.PublishOptions;
import io.nats.client.PurgeOptions;
import io.nats.client.api.PublishAck;
import io.nats.client.impl.Headers;
import java.io.IOException;
import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The one command that waits for a host. A host is named as in its subjects, `tenant.host`.
public final class CommandSlot {
  private static final String SEQUENCE = "Nats-Sequence";
  private static final int NOT_FOUND = 404;

  /// What a stream says when the slot is not as it was found.
  private static final Set<Integer> CONFLICTS = Set.of(10071, 10164);

  private static final int TRIES = 3;
  private static final Duration ANSWER = Duration.ofSeconds(5);

  private final NatsLink link;

  public CommandSlot(NatsLink link) {
    this.link = link;
  }

  /// What lies in a slot. Of an empty one the sequence is 0.
  private record Found(long sequence, String id, long epoch, String signature) {
    static final Found NOTHING = new Found(0, "", 0, "");

    boolean isSignedByAnother(Letter letter) {
      return id.equals(letter.command().id()) && !signature.equals(letter.signature());
    }
  }

  /// What is asked of the stream.
  private interface Request {
    long send(Connection connection)
        throws IOException, JetStreamApiException, InterruptedException;
  }

  /// Replaces what waits for the host and rings its bell, which rings again when the same command
  /// is there already. Returns its sequence once the stream has it.
  ///
  /// @throws Superseded where a newer command waits, which stays
  /// @throws NatsAway where that could not be done or is not certain; may be tried again
  public long put(String host, Letter letter) {
    return attempt("command for " + host, connection -> replace(connection, host, letter));
  }

  /// The command before is often taken out at the very moment at which its answer leads to this
  /// one: then what is there is looked at again.
  private static long replace(Connection connection, String host, Letter letter)
      throws IOException, JetStreamApiException, InterruptedException {
    for (int tries = 1; ; tries++) {
      Found before = read(connection, host);
      refuseIfNewer(host, letter, before);
      try {
        return publish(connection, host, letter, before);
      } catch (JetStreamApiException e) {
        if (tries == TRIES || !CONFLICTS.contains(e.getApiErrorCode())) {
          throw e;
        }
      }
    }
  }

  private static long publish(Connection connection, String host, Letter letter, Found before)
      throws IOException, JetStreamApiException {
    if (before.isSignedByAnother(letter)) {
      // The same message in another envelope, which the stream would drop for its id.
      return publish(connection, host, letter, before, null).getSeqno();
    }
    PublishAck ack = publish(connection, host, letter, before, letter.command().id());
    boolean isThere = before.id.equals(letter.command().id()) || !ack.isDuplicate();
    // If not it was there and is gone, while its message id is still remembered.
    return (isThere ? ack : publish(connection, host, letter, before, null)).getSeqno();
  }

  /// Empties the slot if one of these commands is still in it. A newer one stays.
  ///
  /// @throws NatsAway where that could not be done or is not certain; may be tried again
  public void empty(String host, Set<String> ids) {
    attempt(
        "emptying the slot of " + host,
        connection -> {
          Found found = read(connection, host);
          if (ids.contains(found.id)) {
            PurgeOptions upToIt =
                PurgeOptions.builder()
                    .subject(Subjects.command(host))
                    .sequence(found.sequence + 1)
                    .build();
            connection.jetStreamManagement().purgeStream(Subjects.CMD, upToIt);
          }
          return found.sequence;
        });
  }

  private long attempt(String what, Request request) {
    try {
      return request.send(link.connection());
    } catch (IOException | JetStreamApiException | IllegalStateException e) {
      throw new NatsAway(what + ": " + e.getMessage(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new NatsAway(what + ": interrupted", e);
    }
  }

  private static void refuseIfNewer(String host, Letter letter, Found found) {
    if (found.epoch > letter.command().epoch()) {
      throw new Superseded(host, letter.command().epoch(), found.epoch);
    }
  }

  private static PublishAck publish(
      Connection connection, String host, Letter letter, Found before, @Nullable String messageId)
      throws IOException, JetStreamApiException {
    PublishOptions.Builder options =
        PublishOptions.builder()
            .expectedStream(Subjects.CMD)
            .expectedLastSubjectSequence(before.sequence)
            .streamTimeout(ANSWER);
    if (messageId != null) {
      options.messageId(messageId);
    }
    return connection
        .jetStream()
        .publish(
            Subjects.command(host),
            new Headers().put(Command.SIGNATURE_HEADER, letter.signature()),
            letter.body().getBytes(UTF_8),
            options.build());
  }

  private static Found read(Connection connection, String host)
      throws IOException, InterruptedException {
    Message answer = connection.request(Subjects.directGetCommand(host), null, ANSWER);
    if (answer == null) {
      throw new IOException("no answer from stream " + Subjects.CMD);
    }
    if (answer.isStatusMessage()) {
      if (answer.getStatus().getCode() == NOT_FOUND) {
        return Found.NOTHING;
      }
      throw new IOException("stream " + Subjects.CMD + " says " + answer.getStatus().getMessage());
    }
    String signature = answer.getHeaders().getFirst(Command.SIGNATURE_HEADER);
    return found(
        Long.parseLong(answer.getHeaders().getFirst(SEQUENCE)),
        answer.getData(),
        signature == null ? "" : signature);
  }

  private static Found found(long sequence, byte[] body, String signature) {
    try {
      Command command = Command.read(body);
      return new Found(sequence, command.id(), command.epoch(), signature);
    } catch (MalformedMessage _) {
      // Nobody can act on it, so it may be replaced.
      return new Found(sequence, "", 0, "");
    }
  }
}
