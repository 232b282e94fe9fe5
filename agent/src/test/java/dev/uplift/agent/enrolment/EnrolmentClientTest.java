package dev.uplift.agent.enrolment;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.uplift.agent.transport.ServerUnavailable;
import dev.uplift.protocol.enrolment.RenewRequest;
import dev.uplift.protocol.nats.Nkey;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/// Final rejections, and failures that may be retried.
final class EnrolmentClientTest {
  private static final Nkey KEY = Nkey.generate(Nkey.Kind.USER);

  record Case(int status, String body, String means) {}

  private static final String PROBLEM = "{\"title\":\"Forbidden\",\"code\":\"token-used\",\"detail\":\"another one\"}";

  static final List<Case> CASES =
      List.of(
          new Case(403, PROBLEM, "refused token-used"),
          new Case(400, PROBLEM, "refused token-used"),
          new Case(403, "a proxy's page", "refused "),
          new Case(429, PROBLEM, "unavailable"),
          new Case(503, PROBLEM, "unavailable"),
          new Case(500, "", "unavailable"),
          new Case(404, "a proxy's page", "unavailable"),
          new Case(302, "", "unavailable"),
          new Case(200, "a proxy's page", "unavailable"),
          new Case(200, "{}", "unavailable"));

  @ParameterizedTest
  @FieldSource("CASES")
  void anAnswerIsANoOrMayBeAskedForAgain(Case one) throws IOException {
    HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          exchange.getRequestBody().readAllBytes();
          exchange.getResponseHeaders().add("Retry-After", "5");
          byte[] body = one.body().getBytes(UTF_8);
          exchange.sendResponseHeaders(one.status(), body.length == 0 ? -1 : body.length);
          try (OutputStream out = exchange.getResponseBody()) {
            out.write(body);
          }
        });
    server.start();
    try {
      assertThat(asked("http://127.0.0.1:" + server.getAddress().getPort())).isEqualTo(one.means());
    } finally {
      server.stop(0);
    }
  }

  @Test
  void theChallengeOfTheServerIsSignedInASecondRequestAndThereIsNoThird() throws IOException {
    List<RenewRequest> requests = new CopyOnWriteArrayList<>();
    HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/v1/renew",
        exchange -> {
          requests.add(RenewRequest.read(exchange.getRequestBody().readAllBytes()));
          exchange.getResponseHeaders().add(RenewRequest.CHALLENGE_HEADER, "c-" + requests.size());
          byte[] body = "{\"code\":\"challenge-required\"}".getBytes(UTF_8);
          exchange.sendResponseHeaders(403, body.length);
          try (OutputStream out = exchange.getResponseBody()) {
            out.write(body);
          }
        });
    server.start();
    try {
      assertThat(asked("http://127.0.0.1:" + server.getAddress().getPort())).isEqualTo("refused challenge-required");
    } finally {
      server.stop(0);
    }
    assertThat(requests).extracting(RenewRequest::challenge).containsExactly("", "c-1");
    assertThat(requests).allMatch(RenewRequest::hasValidSignatures);
  }

  private static String asked(String url) {
    try {
      return "admitted "
          + new EnrolmentClient(url, Optional.empty())
              .renew(challenge -> RenewRequest.of("acme", "left", KEY, challenge));
    } catch (ServerRejected e) {
      return "refused " + e.code();
    } catch (ServerUnavailable _) {
      return "unavailable";
    }
  }
}
