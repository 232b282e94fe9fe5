package dev.uplift.temporaldev.process;

import static java.lang.Runtime.getRuntime;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class NetworkLinkTest {
  private static final int SHORT_MS = 100;
  private static final int TIMEOUT_MS = 60_000;

  private final ServerSocket target;
  private final NetworkLink link;

  NetworkLinkTest() throws IOException {
    target = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
    link = new NetworkLink(target.getLocalPort());
  }

  @AfterEach
  void close() throws IOException {
    link.close();
    target.close();
  }

  @Test
  void passesBytesInBothDirectionsAndTheEnd() throws IOException {
    try (Socket client = connect();
        Socket server = target.accept()) {
      send(client, "ask");
      assertThat(receive(server, 3)).isEqualTo("ask");
      send(server, "answer");
      assertThat(receive(client, 6)).isEqualTo("answer");

      server.shutdownOutput();

      assertThat(client.getInputStream().read()).isEqualTo(-1);
    }
  }

  @Test
  void passesBytesWhileVirtualThreadsHoldAllCarriers() throws IOException {
    AtomicBoolean done = new AtomicBoolean();
    int carriers = Integer.getInteger("jdk.virtualThreadScheduler.parallelism", getRuntime().availableProcessors());
    for (int carrier = 0; carrier < carriers; carrier++) {
      Thread.ofVirtual().start(() -> holdCarrier(done));
    }
    try (Socket client = connect()) {
      target.setSoTimeout(TIMEOUT_MS);
      try (Socket server = target.accept()) {
        send(client, "ask");
        server.setSoTimeout(TIMEOUT_MS);

        assertThat(receive(server, 3)).isEqualTo("ask");
      }
    } finally {
      done.set(true);
    }
  }

  private static void holdCarrier(AtomicBoolean done) {
    while (!done.get()) {
      Thread.onSpinWait();
    }
  }

  @Test
  void whileItIsCutNothingArrivesAndAfterwardsAllOfIt() throws IOException {
    try (Socket client = connect();
        Socket server = target.accept()) {
      link.cut();
      send(client, "ask");
      server.setSoTimeout(SHORT_MS);
      assertThatThrownBy(() -> receive(server, 1)).isInstanceOf(SocketTimeoutException.class);

      link.restore();

      server.setSoTimeout(0);
      assertThat(receive(server, 3)).isEqualTo("ask");
    }
  }

  @Test
  void whileItIsCutNobodyHearsThatTheOtherSideHasEnded() throws IOException {
    try (Socket client = connect();
        Socket server = target.accept()) {
      link.cut();
      server.shutdownOutput();
      client.setSoTimeout(SHORT_MS);
      assertThatThrownBy(() -> receive(client, 1)).isInstanceOf(SocketTimeoutException.class);

      link.restore();

      client.setSoTimeout(0);
      assertThat(client.getInputStream().read()).isEqualTo(-1);
    }
  }

  @Test
  void whileItIsCutNewConnectionsWait() throws IOException {
    link.cut();
    try (Socket client = connect()) {
      send(client, "ask");
      target.setSoTimeout(SHORT_MS);
      assertThatThrownBy(target::accept).isInstanceOf(SocketTimeoutException.class);

      link.restore();

      target.setSoTimeout(0);
      try (Socket server = target.accept()) {
        assertThat(receive(server, 3)).isEqualTo("ask");
      }
    }
  }

  @Test
  void closedItEndsItsConnections() throws IOException {
    try (Socket client = connect();
        Socket server = target.accept()) {
      link.close();

      assertThat(client.getInputStream().read()).isEqualTo(-1);
      assertThat(server.getInputStream().read()).isEqualTo(-1);
    }
  }

  private Socket connect() throws IOException {
    return new Socket(InetAddress.getLoopbackAddress(), link.port());
  }

  private static void send(Socket socket, String text) throws IOException {
    socket.getOutputStream().write(text.getBytes(UTF_8));
  }

  private static String receive(Socket socket, int bytes) throws IOException {
    return new String(socket.getInputStream().readNBytes(bytes), UTF_8);
  }
}
