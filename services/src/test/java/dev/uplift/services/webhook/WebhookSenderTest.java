package dev.uplift.services.webhook;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import dev.uplift.fleet.webhook.DeliveryAttempt.Answered;
import dev.uplift.fleet.webhook.DeliveryAttempt.Unanswered;
import dev.uplift.fleet.webhook.ReceiverUrl;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Over real connections to a receiver that answers as a test says.
final class WebhookSenderTest {
  private static final Instant NOW = Instant.parse("2026-11-26T12:00:00Z");
  private static final String PASSWORD = "password";
  private static final byte[] BODY = "{\"text\":\"ü\"}".getBytes(UTF_8);

  private final WebhookSender sender = new WebhookSender(true, Duration.ofSeconds(20), () -> NOW);
  private final RawReceiver receiver = new RawReceiver();

  @AfterEach
  void close() {
    receiver.close();
    sender.close();
  }

  @Test
  void aMessageIsPostedAsItIs() {
    receiver.answer("HTTP/1.1 204 No Content\r\n\r\n");

    WebhookResponse response = sender.send(receiver.url("/hook?a=b"), Map.of("webhook-id", "msg_1"), BODY);

    assertThat(response.attempt()).isEqualTo(new Answered(204, Optional.empty()));
    assertThat(receiver.requests).hasSize(1);
    String request = receiver.requests.getFirst();
    assertThat(request)
        .startsWith("POST /hook?a=b HTTP/1.1\r\n")
        .contains("host: 127.0.0.1:" + receiver.port(), "content-type: application/json", "webhook-id: msg_1")
        .contains("content-length: " + BODY.length)
        .endsWith("\r\n\r\n{\"text\":\"ü\"}");
  }

  @Test
  void ofALongAnswerTheBeginningIsRead() {
    receiver.answer("HTTP/1.1 400 Bad Request\r\n\r\n" + "x".repeat(5_000_000));

    WebhookResponse response = sender.send(receiver.url("/"), Map.of(), BODY);

    assertThat(response.attempt()).isEqualTo(new Answered(400, Optional.empty()));
    assertThat(response.text()).matches("x{1000}");
  }

  @ParameterizedTest
  @CsvSource({
    "120,                           120",
    "'Thu, 26 Nov 2026 12:01:00 GMT', 60",
    "'Thu, 26 Nov 2026 11:00:00 GMT', 0",
    "soon,                          0",
    "-5,                            0"
  })
  void aReceiverMayAskToBeLeftAlone(String header, long seconds) {
    receiver.answer("HTTP/1.1 503 Busy\r\nRetry-After: %s\r\nContent-Length: 0\r\n\r\n".formatted(header));

    assertThat(sender.send(receiver.url("/"), Map.of(), BODY).attempt())
        .isEqualTo(new Answered(503, Optional.of(Duration.ofSeconds(seconds)).filter(Duration::isPositive)));
  }

  @Test
  void aRedirectIsAnAnswerLikeAnyOther() {
    try (RawReceiver other = new RawReceiver()) {
      receiver.answer("HTTP/1.1 307 Moved\r\nLocation: %s\r\n\r\n".formatted("http://127.0.0.1:" + other.port()));

      assertThat(sender.send(receiver.url("/"), Map.of(), BODY).attempt())
          .isEqualTo(new Answered(307, Optional.empty()));
      assertThat(other.requests).isEmpty();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "'hello\r\n\r\n',                the answer is not HTTP",
    "'',                             the connection was closed without an answer",
    "'HTTP/1.1 100 Continue\r\n\r\n', the connection was closed without an answer"
  })
  void whatIsNoAnswerSaysSo(String answer, String reason) {
    receiver.answer(answer.replace("\\r\\n", "\r\n"));

    assertThat(sender.send(receiver.url("/"), Map.of(), BODY).attempt()).isEqualTo(new Unanswered(reason));
  }

  @Test
  void aReceiverThatSaysNothingIsLeftInTime() {
    receiver.sayNothing();
    try (WebhookSender brief = new WebhookSender(true, Duration.ofMillis(300), () -> NOW)) {
      assertThat(brief.send(receiver.url("/"), Map.of(), BODY).attempt().describe()).endsWith("no answer in time");
    }
  }

  @Test
  void nobodyListens() {
    ReceiverUrl url = receiver.url("/");
    receiver.close();

    assertThat(sender.send(url, Map.of(), BODY).attempt().describe()).startsWith("no connection: Connection refused");
  }

  @Test
  void aReceiverWithoutTlsIsNotTakenForOneWithIt() {
    receiver.answer("HTTP/1.1 200 OK\r\n\r\n");

    assertThat(
            sender
                .send(ReceiverUrl.parse("https://127.0.0.1:" + receiver.port() + "/"), Map.of(), BODY)
                .attempt()
                .describe())
        .startsWith("no TLS: ");
  }

  @Test
  void aReceiverWithACertificateThatNobodyKnowsGetsNothing(@TempDir Path folder) throws Exception {
    List<String> received = new CopyOnWriteArrayList<>();
    HttpsServer https = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    https.setHttpsConfigurator(new HttpsConfigurator(selfSigned(folder.resolve("keys.p12"))));
    https.createContext("/", exchange -> received.add(exchange.getRequestMethod()));
    https.start();
    try {
      ReceiverUrl url = ReceiverUrl.parse("https://localhost:" + https.getAddress().getPort() + "/");

      assertThat(sender.send(url, Map.of(), BODY).attempt().describe())
          .startsWith("no TLS: ")
          .contains("unable to find valid certification path");
    } finally {
      https.stop(0);
    }
    assertThat(received).isEmpty();
  }

  private static SSLContext selfSigned(Path store) throws Exception {
    List<String> keytool =
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
            "-genkeypair",
            "-keyalg",
            "EC",
            "-alias",
            "receiver",
            "-dname",
            "CN=localhost",
            "-ext",
            "SAN=dns:localhost",
            "-storepass",
            PASSWORD,
            "-keystore",
            store.toString());
    assertThat(new ProcessBuilder(keytool).redirectError(ProcessBuilder.Redirect.DISCARD).start().waitFor()).isZero();
    KeyStore keys = KeyStore.getInstance(store.toFile(), PASSWORD.toCharArray());
    KeyManagerFactory managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    managers.init(keys, PASSWORD.toCharArray());
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(managers.getKeyManagers(), null, null);
    return context;
  }

  /// Names and numbers that mean this machine, in each spelling that Java knows, and a name that means nothing: the
  /// answer does not say which.
  @ParameterizedTest
  @ValueSource(
      strings = {"127.0.0.1", "localhost", "2130706433", "127.1", "0.0.0.0", "169.254.169.254", "unknown.invalid"})
  void whatIsNotOfTheInternetIsNotConnectedToAndLooksLikeAnUnknownName(String host) {
    receiver.answer("HTTP/1.1 200 OK\r\n\r\n");
    try (WebhookSender strict = new WebhookSender(false, Duration.ofSeconds(20), () -> NOW)) {
      ReceiverUrl url = new ReceiverUrl(true, host, receiver.port(), "/");

      assertThat(strict.send(url, Map.of(), BODY).attempt())
          .isEqualTo(
              new Unanswered(host + " has no address of the Internet, and this server sends webhooks to no other"));
    }
    assertThat(receiver.requests).isEmpty();
  }

  @Test
  void aWebhookFromWhenTlsWasNotNeededIsNotSentWithoutIt() {
    try (WebhookSender strict = new WebhookSender(false, Duration.ofSeconds(20), () -> NOW)) {
      assertThat(strict.send(ReceiverUrl.parse("http://receiver.invalid/"), Map.of(), BODY).attempt())
          .isEqualTo(new Unanswered("expected https: this server sends events over TLS only"));
    }
  }

  @Test
  void anUnknownNameIsReportedWherePrivateAddressesAreAllowed() {
    assertThat(sender.send(ReceiverUrl.parse("https://unknown.invalid/"), Map.of(), BODY).attempt())
        .isEqualTo(new Unanswered("the name unknown.invalid is unknown"));
  }

  /// Accepts connections, one after the other, and answers each request with the same bytes.
  private static final class RawReceiver implements AutoCloseable {
    final List<String> requests = new CopyOnWriteArrayList<>();
    private final ServerSocket socket;
    private volatile Optional<String> answer = Optional.of("");

    RawReceiver() {
      try {
        socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      Thread.ofVirtual().start(this::accept);
    }

    int port() {
      return socket.getLocalPort();
    }

    ReceiverUrl url(String target) {
      return ReceiverUrl.parse("http://127.0.0.1:" + port() + target);
    }

    void answer(String text) {
      answer = Optional.of(text);
    }

    void sayNothing() {
      answer = Optional.empty();
    }

    private void accept() {
      while (!socket.isClosed()) {
        try {
          Socket connection = socket.accept();
          Thread.ofVirtual().start(() -> serve(connection));
        } catch (IOException _) {
          return;
        }
      }
    }

    private void serve(Socket connection) {
      try (connection) {
        InputStream in = connection.getInputStream();
        byte[] bytes = new byte[10_000];
        int length = 0;
        while (!isComplete(new String(bytes, 0, length, UTF_8))) {
          int read = in.read(bytes, length, bytes.length - length);
          if (read < 0) {
            return;
          }
          length += read;
        }
        requests.add(new String(bytes, 0, length, UTF_8));
        if (answer.isPresent()) {
          connection.getOutputStream().write(answer.get().getBytes(US_ASCII));
        } else {
          var _ = in.read();
        }
      } catch (IOException _) {
        // It has gone.
      }
    }

    private static boolean isComplete(String request) {
      // Anything but POST is the beginning of TLS.
      return request.endsWith("}") || (!request.isEmpty() && request.charAt(0) != 'P');
    }

    @Override
    public void close() {
      try {
        socket.close();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
