package dev.uplift.api.enrolment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.uplift.api.problem.Refusal;
import dev.uplift.api.server.Answer;
import dev.uplift.api.server.Home;
import dev.uplift.api.server.TestServer;
import dev.uplift.api.settings.JoinLimits;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class TurnstileTest {
  private static final String NAT = "192.0.2.1";

  private Instant now = Instant.parse("2026-03-29T01:30:00Z");
  private final Turnstile turnstile =
      new Turnstile(new JoinLimits(6000, 1200), () -> now, new SimpleMeterRegistry());

  @Test
  void aThousandHostsJoinAtOnceBehindOneAddress() {
    for (int host = 0; host < 1000; host++) {
      turnstile.enter(NAT);
    }
  }

  @Test
  void whoTriesTokensIsSoonRefusedAndOthersAreNot() {
    int tries = 0;
    while (isLetIn(NAT)) {
      turnstile.refuse(NAT, Turnstile.WRONG, "token-unknown");
      tries++;
    }
    assertThat(tries).isEqualTo(60);
    turnstile.enter("192.0.2.2");

    now = now.plusSeconds(60);
    turnstile.enter(NAT);
  }

  @Test
  void whoHasManyAddressesMeetsTheBoundOfAllAndIsNotRemembered() {
    int entered = 0;
    while (isLetIn("198.51.100." + entered)) {
      entered++;
    }
    assertThat(entered).isEqualTo(6000);
    for (int i = 0; i < 2 * Turnstile.MOST_ADDRESSES; i++) {
      turnstile.refuse("source-" + i, 1, "token-unknown");
    }
    assertThat(turnstile.remembered()).isEqualTo(Turnstile.MOST_ADDRESSES);
  }

  @Test
  void allAddressesOfANetworkAreOne() {
    for (int host = 0; host < 1200; host++) {
      turnstile.enter("2001:db8:0:1:0:0:0:" + Integer.toHexString(host));
    }
    assertThat(isLetIn("2001:db8:0:1:9:9:9:9")).isFalse();
    assertThat(isLetIn("2001:db8:0:2:9:9:9:9")).isTrue();
  }

  @Test
  void aRefusalSaysWhenToComeAgain() {
    for (int host = 0; host < 1200; host++) {
      turnstile.enter(NAT);
    }
    turnstile.refuse(NAT, 99, "token-unknown");

    assertThatThrownBy(() -> turnstile.enter(NAT))
        .isInstanceOfSatisfying(
            Refusal.class, refusal -> assertThat(refusal.problem().status()).isEqualTo(429));
  }

  @Test
  void overRestItIsAProblemAndIsCounted() {
    Home home = new Home();
    Map<String, String> environment = home.environment();
    environment.put("UPLIFT_ENROLMENT_PER_ADDRESS", "25");
    try (TestServer server = TestServer.of(home, environment)) {
      server.nobody().send("POST", "/v1/join", "{}").is(400);
      server.nobody().send("POST", "/v1/renew", "{}").is(400);

      // Whoever it says that it is.
      Answer refused =
          server
              .nobody()
              .with("X-Forwarded-For", "192.0.2.7")
              .send("POST", "/v1/join", "{}")
              .is(429);

      assertThat(refused.header("Content-Type")).contains("application/problem+json");
      assertThat(Integer.parseInt(refused.header("Retry-After").orElseThrow())).isBetween(1, 60);
      assertThat(refused.detail()).contains("try again with the same token");
      String metrics = server.nobody().get("/metrics").text();
      assertThat(metrics)
          .contains("uplift_enrolments_refused_total{code=\"malformed\"} 2.0")
          .contains("uplift_enrolments_refused_total{code=\"too-many\"} 1.0");
    }
  }

  private boolean isLetIn(String address) {
    try {
      turnstile.enter(address);
      return true;
    } catch (Refusal _) {
      return false;
    }
  }
}
