package dev.uplift.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.api.server.Answer;
import dev.uplift.api.server.Client;
import dev.uplift.api.server.SharedServer;
import dev.uplift.api.server.Tenant;
import dev.uplift.api.server.TestServer;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(SharedServer.class)
final class RefusalsTest {
  @Test
  void whatIsNotJsonIsToldWithItsPlace(Tenant tenant) {
    String path = tenant.path("devices/gate");

    assertThat(tenant.admin().send("PUT", path, "{\"hosts\":\n[\"a\",]}").is(400).detail())
        .startsWith("not JSON at line 2, column ");
    assertThat(tenant.admin().send("PUT", path, "").is(400).detail())
        .isEqualTo("expected a JSON object as the body, found nothing");
    assertThat(tenant.admin().send("PUT", path, "[]").is(400).detail())
        .isEqualTo("expected a JSON object, found a list");
    assertThat(tenant.admin().send("PUT", path, "{} {}").is(400).detail()).startsWith("not JSON");
    assertThat(tenant.admin().send("PUT", path, "{\"a\":1,\"a\":2}").is(400).detail())
        .startsWith("not JSON")
        .contains("Duplicate");
    tenant.admin().send("PUT", path, "[".repeat(100_000)).is(400);
    tenant.admin().send("PUT", path, "{\"hosts\":" + "1".repeat(5000) + "}").is(400);
    tenant.admin().sendAsIs("PUT", path, new byte[] {(byte) 0xff, 0, 1}).is(400);
  }

  @Test
  void aPathThatIsNoneIsNotFound(Tenant tenant) {
    assertThat(tenant.admin().get(tenant.path("gadgets")).is(404).detail())
        .isEqualTo("there is nothing at " + tenant.path("gadgets"));
    tenant.admin().get("/v2").is(404);
    tenant.admin().get("/v1/tenants/" + tenant.name() + "//").is(404);
  }

  @Test
  void aMethodThatIsNotForThePathSaysWhichAre(Tenant tenant) {
    Answer answer = tenant.admin().send("POST", tenant.path("devices/gate"), "{}").is(405);

    assertThat(answer.header("Allow").orElseThrow()).contains("PUT", "PATCH", "GET", "DELETE");
    assertThat(answer.detail()).startsWith("POST is not for this path; ");
  }

  @Test
  void anotherContentTypeIsRefused(Tenant tenant) {
    Client client = tenant.admin().with("Content-Type", "text/plain");

    assertThat(client.sendAsIs("PUT", tenant.path("devices/gate"), "{}").is(415).detail())
        .contains("text/plain");
    tenant
        .admin()
        .with("Content-Type", "multipart/form-data; boundary=x")
        .sendAsIs("POST", tenant.path("releases"), "--x--")
        .is(415);
  }

  @Test
  void anAnswerThatNobodyTakesIsNotGiven(Tenant tenant) {
    tenant.admin().with("Accept", "image/png").get(tenant.path("devices")).is(406);
  }

  @Test
  void aBodyThatIsTooLargeIsRefused(Tenant tenant) {
    String large = "{\"hosts\":[\"" + "a".repeat(2_000_000) + "\"]}";

    assertThat(tenant.admin().send("PUT", tenant.path("devices/gate"), large).is(413).detail())
        .isEqualTo("expected a body of at most 1048576 bytes");
    tenant.admin().get(tenant.path("devices")).is(200);
  }

  @Test
  void whatIsNotHttpEndsTheConversation(TestServer server) throws IOException {
    for (String raw :
        List.of(
            "GARBAGE\r\n\r\n",
            "GET /v1/tenants/%zz HTTP/1.1\r\nHost: x\r\n\r\n",
            "GET / HTTP/1.1\r\nHost: x\r\n" + "a: b\r\n".repeat(5000) + "\r\n",
            "GET /" + "x".repeat(20_000) + " HTTP/1.1\r\nHost: x\r\n\r\n",
            "PUT /v1/tenants HTTP/1.1\r\nHost: x\r\nContent-Length: -5\r\n\r\n",
            "PUT /v1/tenants HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n")) {
      assertThat(answer(server, raw))
          .as(raw.lines().findFirst().orElse(""))
          .doesNotContain(" 500 ");
    }
    server.nobody().get("/health/liveness").is(200);
  }

  /// The first line of the answer; nothing if the server just hangs up.
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
