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
  private static final String SIGNATURE = "Uplift-Sig";
  private static final String SEQUENCE = "Nats-Sequence";
  private static final int CONFLICT = 10071;
  private static final int NOT_FOUND = 404;
  private static final Duration ANSWER = Duration.ofSeconds(5);

  private final NatsLink link;

  public CommandSlot(NatsLink link) {
    this.link = link;
  }

  /// What lies in a slot. Of an empty one the sequence is 0.
  private record Found(long sequence, String id, long epoch) {
    static final Found NOTHING = new Found(0, "", 0);
  }

  /// What is asked of the stream.
  private interface Request {
    void send(Connection connection)
        throws IOException, JetStreamApiException, InterruptedException;
  }

  /// Replaces what waits for the host and rings its bell, which rings again when the same command
  /// is there already. Returns once the stream has it.
  ///
  /// @throws Superseded where a newer command waits, which stays
  /// @throws NatsAway where that could not be done or is not certain; may be tried again
  public void put(String host, Letter letter) {
    attempt(
        "command for " + host,
        connection -> {
          Found before = read(connection, host);
          refuseIfNewer(host, letter, before);
          boolean duplicate = publish(connection, host, letter, before, letter.id());
          if (duplicate && !before.id.equals(letter.id())) {
            // It was there and is gone, while its message id is still remembered.
            publish(connection, host, letter, before, null);
          }
        });
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
            connection.jetStreamManagement().purgeStream(Streams.CMD, upToIt);
          }
        });
  }

  private void attempt(String what, Request request) {
    try {
      request.send(link.connection());
    } catch (IOException | JetStreamApiException | IllegalStateException e) {
      throw new NatsAway(what + ": " + e.getMessage(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new NatsAway(what + ": interrupted", e);
    }
  }

  private static void refuseIfNewer(String host, Letter letter, Found found) {
    if (found.epoch > letter.epoch()) {
      throw new Superseded(host, letter.epoch(), found.epoch);
    }
  }

  /// Whether the stream has it already.
  private static boolean publish(
      Connection connection, String host, Letter letter, Found before, @Nullable String messageId)
      throws IOException, JetStreamApiException, InterruptedException {
    PublishOptions.Builder options =
        PublishOptions.builder()
            .expectedStream(Streams.CMD)
            .expectedLastSubjectSequence(before.sequence)
            .streamTimeout(ANSWER);
    if (messageId != null) {
      options.messageId(messageId);
    }
    Headers headers = new Headers().put(SIGNATURE, letter.signature());
    try {
      PublishAck ack =
          connection
              .jetStream()
              .publish(
                  Subjects.command(host), headers, letter.body().getBytes(UTF_8), options.build());
      return ack.isDuplicate();
    } catch (JetStreamApiException e) {
      if (e.getApiErrorCode() != CONFLICT) {
        throw e;
      }
      Found now = read(connection, host);
      refuseIfNewer(host, letter, now);
      if (!now.id.equals(letter.id())) {
        throw e;
      }
      // Another attempt was faster.
      return true;
    }
  }

  private static Found read(Connection connection, String host)
      throws IOException, InterruptedException {
    String subject = "$JS.API.DIRECT.GET." + Streams.CMD + "." + Subjects.command(host);
    Message answer = connection.request(subject, null, ANSWER);
    if (answer == null) {
      throw new IOException("no answer from stream " + Streams.CMD);
    }
    if (answer.isStatusMessage()) {
      if (answer.getStatus().getCode() == NOT_FOUND) {
        return Found.NOTHING;
      }
      throw new IOException("stream " + Streams.CMD + " says " + answer.getStatus().getMessage());
    }
    return found(Long.parseLong(answer.getHeaders().getFirst(SEQUENCE)), answer.getData());
  }

  private static Found found(long sequence, byte[] body) {
    try {
      Command command = Command.read(body);
      return new Found(sequence, command.id(), command.epoch());
    } catch (MalformedMessage _) {
      // Nobody can act on it, so it may be replaced.
      return new Found(sequence, "", 0);
    }
  }
}
