package dev.uplift.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.api.testing.SharedServerExtension;
import dev.uplift.api.testing.TestClient;
import dev.uplift.api.testing.TestResponse;
import dev.uplift.api.testing.TestServer;
import dev.uplift.api.testing.TestTenant;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(SharedServerExtension.class)
final class ProblemResponseTest {
  @Test
  void malformedJsonIsReportedWithItsPosition(TestTenant testTenant) {
    String path = testTenant.path("devices/gate");

    assertThat(testTenant.admin().send("PUT", path, "{\"hosts\":\n[\"a\",]}").expectStatus(400).detail())
        .startsWith("not JSON at line 2, column ");
    assertThat(testTenant.admin().send("PUT", path, "").expectStatus(400).detail())
        .isEqualTo("expected a JSON object as the body, found nothing");
    assertThat(testTenant.admin().send("PUT", path, "[]").expectStatus(400).detail())
        .isEqualTo("expected a JSON object, found a list");
    assertThat(testTenant.admin().send("PUT", path, "{} {}").expectStatus(400).detail()).startsWith("not JSON");
    assertThat(testTenant.admin().send("PUT", path, "{\"a\":1,\"a\":2}").expectStatus(400).detail())
        .startsWith("not JSON")
        .contains("Duplicate");
    testTenant.admin().send("PUT", path, "[".repeat(100_000)).expectStatus(400);
    testTenant.admin().send("PUT", path, "{\"hosts\":" + "1".repeat(5000) + "}").expectStatus(400);
    testTenant.admin().sendRaw("PUT", path, new byte[] {(byte) 0xff, 0, 1}).expectStatus(400);
  }

  @Test
  void anUnknownPathIsNotFound(TestTenant testTenant) {
    assertThat(testTenant.admin().get(testTenant.path("gadgets")).expectStatus(404).detail())
        .isEqualTo("there is nothing at " + testTenant.path("gadgets"));
    testTenant.admin().get("/v2").expectStatus(404);
    testTenant.admin().get("/v1/tenants/" + testTenant.name() + "//").expectStatus(404);
  }

  @Test
  void aWrongMethodIsAnsweredWithTheAllowedOnes(TestTenant testTenant) {
    TestResponse testResponse =
        testTenant.admin().send("POST", testTenant.path("devices/gate"), "{}").expectStatus(405);

    assertThat(testResponse.header("Allow").orElseThrow()).contains("PUT", "PATCH", "GET", "DELETE");
    assertThat(testResponse.detail()).startsWith("POST is not allowed for this path; ");
  }

  @Test
  void anotherContentTypeIsRejected(TestTenant testTenant) {
    TestClient testClient = testTenant.admin().withHeader("Content-Type", "text/plain");

    assertThat(testClient.sendRaw("PUT", testTenant.path("devices/gate"), "{}").expectStatus(415).detail())
        .contains("text/plain");
    testTenant
        .admin()
        .withHeader("Content-Type", "multipart/form-data; boundary=x")
        .sendRaw("POST", testTenant.path("releases"), "--x--")
        .expectStatus(415);
  }

  @Test
  void anUnacceptableContentTypeIsRejected(TestTenant testTenant) {
    testTenant.admin().withHeader("Accept", "image/png").get(testTenant.path("devices")).expectStatus(406);
  }

  @Test
  void tooLargeABodyIsRejected(TestTenant testTenant) {
    String large = "{\"hosts\":[\"" + "a".repeat(2_000_000) + "\"]}";

    assertThat(testTenant.admin().send("PUT", testTenant.path("devices/gate"), large).expectStatus(413).detail())
        .isEqualTo("expected a body of at most 1048576 bytes");
    testTenant.admin().get(testTenant.path("devices")).expectStatus(200);
  }

  @Test
  void malformedHttpClosesTheConnection(TestServer server) throws IOException {
    for (String raw :
        List.of(
            "GARBAGE\r\n\r\n",
            "GET /v1/tenants/%zz HTTP/1.1\r\nHost: x\r\n\r\n",
            "GET / HTTP/1.1\r\nHost: x\r\n" + "a: b\r\n".repeat(5000) + "\r\n",
            "GET /" + "x".repeat(20_000) + " HTTP/1.1\r\nHost: x\r\n\r\n",
            "PUT /v1/tenants HTTP/1.1\r\nHost: x\r\nContent-Length: -5\r\n\r\n",
            "PUT /v1/tenants HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n")) {
      assertThat(answer(server, raw)).as(raw.lines().findFirst().orElse("")).doesNotContain(" 500 ");
    }
    server.anonymousClient().get("/health/liveness").expectStatus(200);
  }

  /// Returns the first line of the answer; empty if the server closes the connection.
  private static String answer(TestServer server, String raw) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.uri().getPort())) {
      socket.setSoTimeout(5000);
      OutputStream out = socket.getOutputStream();
      out.write(raw.getBytes(StandardCharsets.ISO_8859_1));
      out.flush();
      InputStream in = socket.getInputStream();
      byte[] some = in.readNBytes(40);
      return new String(some, StandardCharsets.ISO_8859_1);
    }
  }
}
