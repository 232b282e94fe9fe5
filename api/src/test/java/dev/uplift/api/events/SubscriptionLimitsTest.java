package dev.uplift.api.events;

import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.api.testing.RawConnection;
import dev.uplift.api.testing.SharedServerExtension;
import dev.uplift.api.testing.TestServer;
import dev.uplift.api.testing.TestTenant;
import dev.uplift.api.testing.TestTokens;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/// One who listens often takes no other's place.
@ExtendWith(SharedServerExtension.class)
final class SubscriptionLimitsTest {
  private static final String PLAN =
      """
      {"package":"shopd","version":"2.0","selection":"true","everything":true,"draft":true}\
      """;

  private final Deque<RawConnection> open = new ArrayDeque<>();

  @AfterEach
  void leave() throws IOException {
    for (RawConnection connection : open) {
      connection.close();
    }
  }

  @Test
  void aCallerWithFiftyListenersGetsNoMoreWhileOthersGoOn(TestTenant testTenant, TestServer server) throws Exception {
    String path = testTenant.path("rollouts/north/events");
    testTenant.putDevice("gate", "left");
    testTenant.admin().send("POST", testTenant.path("releases"), server.home().release("shopd", "2.0", 2));
    testTenant
        .operator()
        .withHeader("Idempotency-Key", "north")
        .send("POST", testTenant.path("rollouts"), PLAN)
        .expectStatus(201);
    for (int i = 0; i < 50; i++) {
      assertThat(listen(server, testTenant, path, "viewer")).startsWith("HTTP/1.1 200 ");
    }

    var refused = testTenant.viewer().get(path).expectStatus(429);

    assertThat(refused.detail()).startsWith("50 listen to this server with tokens of viewer already; ");
    assertThat(refused.header("Retry-After")).contains("60");
    assertThat(listen(server, testTenant, path, "operator")).startsWith("HTTP/1.1 200 ");
    TestTenant other = server.newTenant();
    assertThat(other.viewer().get(other.path("devices")).status()).isEqualTo(200);

    open.removeFirst().close();

    Awaitility.await("the place is free again")
        .atMost(Duration.ofSeconds(20))
        .until(() -> listen(server, testTenant, path, "viewer").startsWith("HTTP/1.1 200 "));
  }

  /// Returns the first line of the answer.
  private String listen(TestServer server, TestTenant testTenant, String path, String role) throws IOException {
    RawConnection connection = new RawConnection(server);
    open.add(connection);
    return connection
        .send(
            "GET %s HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer %s\r\n\r\n"
                .formatted(path, TestTokens.of(testTenant.name(), role)))
        .readUntil("id:", "}");
  }
}
