package dev.uplift.temporaldev;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.nats.client.Connection;
import io.nats.client.ErrorListener;
import io.nats.client.Message;
import io.nats.client.Nats;
import io.nats.client.Options;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/// A NATS client that keeps what the server refuses it.
final class Client implements AutoCloseable {
  private static final Duration WAIT = Duration.ofSeconds(1);

  private final Queue<String> refusals = new ConcurrentLinkedQueue<>();
  private final Connection connection;

  private Client(dev.uplift.temporaldev.Nats nats, Path credentials, String inbox)
      throws IOException, InterruptedException {
    Options options =
        Options.builder()
            .server(nats.url())
            .authHandler(Nats.credentials(credentials.toString()))
            .inboxPrefix(inbox)
            .maxReconnects(-1)
            .reconnectWait(Duration.ofMillis(100))
            .errorListener(
                new ErrorListener() {
                  @Override
                  public void errorOccurred(Connection conn, String error) {
                    refusals.add(error);
                  }
                })
            .build();
    connection = Nats.connect(options);
  }

  /// As the server logs in.
  static Client uplift(dev.uplift.temporaldev.Nats nats) throws IOException, InterruptedException {
    return new Client(nats, nats.realm().server(), "_INBOX.");
  }

  /// As an agent logs in.
  static Client device(dev.uplift.temporaldev.Nats nats, String tenant)
      throws IOException, InterruptedException {
    return new Client(nats, nats.realm().fleet(tenant), "_INBOX." + tenant + ".here.");
  }

  Connection connection() {
    return connection;
  }

  /// The answer's data, or its status in words, or `nothing`.
  String ask(String subject, String body) throws InterruptedException {
    Message answer = connection.request(subject, body.getBytes(UTF_8), WAIT);
    if (answer == null) {
      return "nothing";
    }
    return answer.isStatusMessage()
        ? answer.getStatus().getMessageWithCode()
        : new String(answer.getData(), UTF_8);
  }

  Queue<String> refusals() {
    return refusals;
  }

  @Override
  public void close() {
    try {
      connection.close();
    } catch (InterruptedException e) {
      throw StackFailure.interrupted("closing a connection", e);
    }
  }
}
