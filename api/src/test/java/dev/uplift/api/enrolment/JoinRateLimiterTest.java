package dev.uplift.api.enrolment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.uplift.api.problem.ProblemException;
import dev.uplift.api.settings.JoinRateLimits;
import dev.uplift.api.testing.ServerHome;
import dev.uplift.api.testing.TestResponse;
import dev.uplift.api.testing.TestServer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class JoinRateLimiterTest {
  private static final String NAT = "192.0.2.1";

  private Instant now = Instant.parse("2026-03-29T01:30:00Z");
  private final JoinRateLimiter turnstile =
      new JoinRateLimiter(new JoinRateLimits(6000, 1200), () -> now, new SimpleMeterRegistry());

  @Test
  void aThousandHostsMayJoinAtOnceFromOneAddress() {
    for (int host = 0; host < 1000; host++) {
      turnstile.acquire(NAT);
    }
  }

  @Test
  void guessingTokensIsSoonRejectedAndOthersAreNot() {
    int tries = 0;
    while (isAdmitted(NAT)) {
      turnstile.recordRejection(NAT, JoinRateLimiter.REJECTION_COST, "token-unknown");
      tries++;
    }
    assertThat(tries).isEqualTo(60);
    turnstile.acquire("192.0.2.2");

    now = now.plusSeconds(60);
    turnstile.acquire(NAT);
  }

  @Test
  void manyAddressesAreLimitedByTheTotalAndNotRemembered() {
    int entered = 0;
    while (isAdmitted("198.51.100." + entered)) {
      entered++;
    }
    assertThat(entered).isEqualTo(6000);
    for (int i = 0; i < 2 * JoinRateLimiter.MAX_SOURCES; i++) {
      turnstile.recordRejection("source-" + i, 1, "token-unknown");
    }
    assertThat(turnstile.trackedAddresses()).isEqualTo(JoinRateLimiter.MAX_SOURCES);
  }

  @Test
  void allAddressesOfANetworkShareABucket() {
    for (int host = 0; host < 1200; host++) {
      turnstile.acquire("2001:db8:0:1:0:0:0:" + Integer.toHexString(host));
    }
    assertThat(isAdmitted("2001:db8:0:1:9:9:9:9")).isFalse();
    assertThat(isAdmitted("2001:db8:0:2:9:9:9:9")).isTrue();
  }

  /// Somebody with a large network uses up all that strangers may have; hosts renew nevertheless.
  @Test
  void hostsWithAKeyThatCountsDoNotCompeteWithStrangers() {
    for (int network = 0; isAdmitted("2001:db8:0:" + Integer.toHexString(network) + ":0:0:0:1"); network++) {
      assertThat(network).isLessThan(6001);
    }

    for (int host = 0; host < 3000; host++) {
      assertThat(turnstile.tryLookUp("192.0.2." + host)).isTrue();
      turnstile.acquireOfHost("key-" + host);
      turnstile.acquireOfHost("key-" + host);
    }
    assertThatThrownBy(() -> turnstile.acquireOfHost("key-3000")).isInstanceOf(ProblemException.class);
  }

  @Test
  void oneHostDoesNotKeepOthersFromRenewing() {
    for (int i = 0; i < JoinRateLimiter.PER_MINUTE_AND_KEY; i++) {
      turnstile.acquireOfHost("stolen");
    }

    assertThatThrownBy(() -> turnstile.acquireOfHost("stolen")).isInstanceOf(ProblemException.class);
    turnstile.acquireOfHost("other");
  }

  /// Only successful joins count, because a request can name any tenant without a token of it.
  @Test
  void oneTenantHasHalfOfAllJoins() {
    for (int i = 0; i < 3000; i++) {
      turnstile.requirePartOf("acme");
      turnstile.recordJoin("acme");
    }

    assertThatThrownBy(() -> turnstile.requirePartOf("acme")).isInstanceOf(ProblemException.class);
    turnstile.requirePartOf("globex");
    now = now.plusSeconds(1);
    turnstile.requirePartOf("acme");
  }

  @Test
  void aRejectionSaysWhenToRetry() {
    for (int host = 0; host < 1200; host++) {
      turnstile.acquire(NAT);
    }
    turnstile.recordRejection(NAT, 99, "token-unknown");

    assertThatThrownBy(() -> turnstile.acquire(NAT))
        .isInstanceOfSatisfying(
            ProblemException.class, problemException -> assertThat(problemException.problem().status()).isEqualTo(429));
  }

  @Test
  void restAnswersAProblemAndCountsIt() {
    ServerHome serverHome = new ServerHome();
    Map<String, String> environment = serverHome.environment();
    environment.put("UPLIFT_ENROLMENT_REQUESTS_PER_MINUTE_PER_ADDRESS", "25");
    try (TestServer server = TestServer.of(serverHome, environment)) {
      server.anonymousClient().send("POST", "/v1/join", "{}").expectStatus(400);
      server.anonymousClient().send("POST", "/v1/renew", "{}").expectStatus(400);

      // Whatever address its headers claim.
      TestResponse rejected =
          server
              .anonymousClient()
              .withHeader("X-Forwarded-For", "192.0.2.7")
              .send("POST", "/v1/join", "{}")
              .expectStatus(429);

      assertThat(rejected.header("Content-Type")).contains("application/problem+json");
      assertThat(Integer.parseInt(rejected.header("Retry-After").orElseThrow())).isBetween(1, 60);
      assertThat(rejected.detail()).contains("try again with the same token");
      String metrics = server.anonymousClient().get("/prometheus").text();
      assertThat(metrics)
          .contains("uplift_enrolments_rejected_total{code=\"malformed\"} 2.0")
          .contains("uplift_enrolments_rejected_total{code=\"rate-limited\"} 1.0");
    }
  }

  private boolean isAdmitted(String address) {
    try {
      turnstile.acquire(address);
      return true;
    } catch (ProblemException _) {
      return false;
    }
  }
}
