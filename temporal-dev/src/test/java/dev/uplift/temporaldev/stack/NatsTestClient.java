package dev.uplift.temporaldev.stack;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.uplift.temporaldev.process.StackException;
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

/// A NATS client of one server that keeps what the server refuses it.
public final class NatsTestClient implements AutoCloseable {
  private static final Duration WAIT = Duration.ofSeconds(1);

  private final Queue<String> refusals = new ConcurrentLinkedQueue<>();
  private final Connection connection;

  private NatsTestClient(dev.uplift.temporaldev.stack.NatsServer natsServer, Path credentials, String inbox)
      throws IOException, InterruptedException {
    Options options =
        Options.builder()
            .server("nats://127.0.0.1:" + natsServer.port())
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
  static NatsTestClient connectAsServer(dev.uplift.temporaldev.stack.NatsServer natsServer)
      throws IOException, InterruptedException {
    return new NatsTestClient(natsServer, natsServer.operator().serverCredentials(), "_INBOX.");
  }

  /// As an agent logs in.
  public static NatsTestClient connectAsFleet(dev.uplift.temporaldev.stack.NatsServer natsServer, String tenant)
      throws IOException, InterruptedException {
    return new NatsTestClient(
        natsServer, natsServer.operator().fleetCredentials(tenant), "_INBOX." + tenant + ".here.");
  }

  Connection connection() {
    return connection;
  }

  /// The answer's data, or its status in words, or `nothing`.
  String request(String subject, String body) throws InterruptedException {
    Message answer = connection.request(subject, body.getBytes(UTF_8), WAIT);
    if (answer == null) {
      return "nothing";
    }
    return answer.isStatusMessage() ? answer.getStatus().getMessageWithCode() : new String(answer.getData(), UTF_8);
  }

  Queue<String> refusals() {
    return refusals;
  }

  @Override
  public void close() {
    try {
      connection.close();
    } catch (InterruptedException e) {
      throw StackException.interrupted("closing a connection", e);
    }
  }
}
