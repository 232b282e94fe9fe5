package dev.uplift.api.connection;

import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.api.artifacts.TestArtifacts;
import dev.uplift.api.testing.RawConnection;
import dev.uplift.api.testing.ServerHome;
import dev.uplift.api.testing.TestServer;
import dev.uplift.api.testing.TestTenant;
import dev.uplift.api.testing.TestTokens;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.DefaultHttpContent;
import io.netty.handler.codec.http.DefaultHttpRequest;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/// Half requests end: with sockets on a server whose limit is short, and step by step in a channel whose time is ours.
final class RequestDeadlineTest {
  private static final int TIMEOUT_SECONDS = 30;

  private static TestServer server;

  @BeforeAll
  static void start() {
    ServerHome home = new ServerHome();
    Map<String, String> environment = home.environment();
    environment.put("UPLIFT_REQUESTS_TIMEOUT", "PT0.5S");
    server = TestServer.of(home, environment);
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @Test
  void aConnectionWithoutARequestIsClosed() throws IOException {
    try (var connection = new RawConnection(server)) {
      assertThat(connection.readToEnd()).isEmpty();
    }
  }

  @Test
  void halfAHeadIsClosed() throws IOException {
    try (var connection = new RawConnection(server)) {
      assertThat(connection.send("GET /v1/tenants HTTP/1.1\r\nHost: x\r\nX-Ha").readToEnd()).isEmpty();
    }
  }

  @Test
  void halfABodyIsClosed() throws IOException {
    TestTenant testTenant = server.newTenant();
    String head =
        "PUT %s HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nAuthorization: Bearer %s\r\nContent-Length: 99\r\n\r\n"
            .formatted(testTenant.path("devices/gate"), TestTokens.of(testTenant.name(), "admin"));
    try (var connection = new RawConnection(server)) {
      assertThat(connection.send(head + "{\"hosts\":").readToEnd()).isEmpty();
    }
    testTenant.admin().get(testTenant.path("devices/gate")).expectStatus(404);
  }

  @Test
  void halfAnArtifactIsClosedAndLeavesNothing() throws IOException {
    TestTenant testTenant = server.newTenant();
    byte[] bytes = TestArtifacts.randomBytes(10, 3);
    String head =
        "PUT %s HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-tar\r\nAuthorization: Bearer %s\r\nContent-Length: 10\r\n\r\n"
            .formatted(
                testTenant.path("artifacts/" + TestArtifacts.sha256(bytes)), TestTokens.of(testTenant.name(), "admin"));
    try (var connection = new RawConnection(server)) {
      connection.send(head + "abc").readToEnd();
    }
    testTenant.admin().get(testTenant.path("artifacts/" + TestArtifacts.sha256(bytes))).expectStatus(404);
  }

  @Test
  void aBodyThatArrivesInPartsHasTimeForEachOfThem() {
    EmbeddedChannel channel = channel();
    channel.writeInbound(new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.PUT, "/"));
    for (int i = 0; i < 3; i++) {
      pass(channel, TIMEOUT_SECONDS - 1);
      channel.writeInbound(new DefaultHttpContent(Unpooled.wrappedBuffer(new byte[64 * 1024])));
    }
    assertThat(channel.isOpen()).isTrue();

    pass(channel, TIMEOUT_SECONDS - 1);
    channel.writeInbound(new DefaultHttpContent(Unpooled.wrappedBuffer(new byte[100])));
    pass(channel, 2);

    assertThat(channel.isOpen()).as("100 bytes are too few").isFalse();
  }

  @Test
  void aResponseMayTakeItsTimeAndTheNextRequestHasItsOwn() {
    EmbeddedChannel channel = channel();
    channel.writeInbound(new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.GET, "/"));
    channel.writeInbound(LastHttpContent.EMPTY_LAST_CONTENT);
    pass(channel, 10 * TIMEOUT_SECONDS);
    channel.writeOutbound(new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK));
    pass(channel, TIMEOUT_SECONDS - 1);
    assertThat(channel.isOpen()).isTrue();

    pass(channel, 2);

    assertThat(channel.isOpen()).isFalse();
  }

  @Test
  void permissionToContinueIsNoAnswer() {
    EmbeddedChannel channel = channel();
    channel.writeInbound(new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.PUT, "/"));
    channel.writeOutbound(new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.CONTINUE));
    channel.writeInbound(LastHttpContent.EMPTY_LAST_CONTENT);

    pass(channel, 10 * TIMEOUT_SECONDS);

    assertThat(channel.isOpen()).isTrue();
  }

  private static EmbeddedChannel channel() {
    EmbeddedChannel channel = new EmbeddedChannel(new RequestDeadline(Duration.ofSeconds(TIMEOUT_SECONDS)));
    channel.freezeTime();
    return channel;
  }

  private static void pass(EmbeddedChannel channel, int seconds) {
    channel.advanceTimeBy(seconds, TimeUnit.SECONDS);
    channel.runScheduledPendingTasks();
  }
}
