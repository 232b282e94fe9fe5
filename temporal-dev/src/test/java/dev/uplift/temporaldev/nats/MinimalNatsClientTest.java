package dev.uplift.temporaldev.nats;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.uplift.protocol.nats.Credentials;
import dev.uplift.protocol.nats.Nkey;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// What the stack makes of what a nats-server says, whenever that comes.
final class MinimalNatsClientTest {
  @Test
  void messageThatIsFasterThanTheAnswerToTheWishForItIsNotLost() throws Exception {
    try (ServerSocket server = playing(List.of("PONG", "MSG beat.1 1 2\r\nhi\r\nPONG"));
        MinimalNatsClient client = login(server)) {
      client.subscribeAll("beat.*");

      assertThat(client.next()).isEqualTo(new MinimalNatsClient.Message("beat.1", "hi"));
    }
  }

  @Test
  void oneThatWaitsForTheFirstMessageSeesThatOneToo() throws Exception {
    try (ServerSocket server = playing(List.of("PONG", "MSG beat.1 1 2\r\nhi\r\nPONG"));
        MinimalNatsClient client = login(server)) {
      client.subscribeToNext("beat.*");

      assertThat(client.hasMessage(1)).isTrue();
    }
  }

  @Test
  void refusalIsSaidInTheWordsOfTheServer() throws Exception {
    try (ServerSocket server = playing(List.of("-ERR 'Authorization Violation'"))) {
      assertThatThrownBy(() -> login(server))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("Authorization Violation");
    }
  }

  private static MinimalNatsClient login(ServerSocket server) throws IOException {
    var somebody = new Credentials("a.b.c", Nkey.generate(Nkey.Kind.USER));
    return MinimalNatsClient.login(server.getLocalPort(), somebody, Optional.empty());
  }

  /// Says the next of these after each PING, to the first who comes.
  private static ServerSocket playing(List<String> answers) throws IOException {
    var server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
    Thread.ofVirtual()
        .start(() -> {
          try (Socket client = server.accept();
              var in =
                  new BufferedReader(new InputStreamReader(client.getInputStream(), US_ASCII))) {
            say(client, "INFO {\"nonce\":\"abc\"}");
            for (String answer : answers) {
              awaitPing(in);
              say(client, answer);
            }
            assertThat(in.readLine()).isNull();
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        });
    return server;
  }

  /// Before it come who the client is, and what it wants to hear.
  private static void awaitPing(BufferedReader in) throws IOException {
    for (String line = in.readLine(); !"PING".equals(line); line = in.readLine()) {
      assertThat(line).isNotNull();
    }
  }

  private static void say(Socket client, String line) throws IOException {
    client.getOutputStream().write((line + "\r\n").getBytes(US_ASCII));
  }
}
