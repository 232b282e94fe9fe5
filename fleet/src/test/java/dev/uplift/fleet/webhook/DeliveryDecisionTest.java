package dev.uplift.fleet.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.fleet.webhook.DeliveryAttempt.Answered;
import dev.uplift.fleet.webhook.DeliveryAttempt.Unanswered;
import dev.uplift.fleet.webhook.DeliveryDecision.Disable;
import dev.uplift.fleet.webhook.DeliveryDecision.Failures;
import dev.uplift.fleet.webhook.DeliveryDecision.Proceed;
import dev.uplift.fleet.webhook.DeliveryDecision.Retry;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class DeliveryDecisionTest {
  private static final Instant NOW = Instant.parse("2026-11-26T12:00:00Z");
  private static final Duration LIMIT = Duration.ofHours(24);

  @ParameterizedTest
  @ValueSource(ints = {200, 202, 204, 299})
  void acceptedIsAccepted(int status) {
    assertThat(decide(answer(status), new Failures(9, Optional.of(NOW.minus(LIMIT))))).isEqualTo(new Proceed());
  }

  @ParameterizedTest
  @CsvSource({
    "0,  500, '',   5",
    "1,  500, '',   10",
    "2,  404, '',   20",
    "6,  301, '',   320",
    "7,  500, '',   600",
    "99, 500, '',   600",
    "0,  429, 30,   30",
    "7,  429, 30,   600",
    "0,  503, 86400, 3600",
    "0,  101, '',   5",
  })
  void aFailureIsRetriedAfterAPauseThatDoublesOrThatTheReceiverAsksFor(
      int failures, int status, String retryAfter, long pause) {
    Optional<Duration> asked =
        retryAfter.isEmpty() ? Optional.empty() : Optional.of(Duration.ofSeconds(Long.parseLong(retryAfter)));
    Failures before =
        failures == 0 ? Failures.NONE : new Failures(failures, Optional.of(NOW.minus(Duration.ofHours(1))));

    assertThat(decide(new Answered(status, asked), before)).isEqualTo(new Retry(Duration.ofSeconds(pause)));
  }

  @Test
  void aReceiverThatIsGoneGetsNoMore() {
    assertThat(decide(answer(410), Failures.NONE))
        .isEqualTo(new Disable("the receiver answered 410: it wants no more events"));
  }

  @Test
  void aReceiverThatFailsForLongerThanTheLimitGetsNoMore() {
    DeliveryAttempt unanswered = new Unanswered("the connection is refused");

    assertThat(decide(unanswered, new Failures(200, Optional.of(NOW.minus(LIMIT).plusMillis(1)))))
        .isInstanceOf(Retry.class);
    assertThat(decide(unanswered, new Failures(200, Optional.of(NOW.minus(LIMIT)))))
        .isEqualTo(
            new Disable("no event was accepted since 2026-11-25T12:00:00Z; the last time: the connection is refused"));
  }

  @Test
  void aRedirectIsAnErrorThatSaysSo() {
    assertThat(answer(302).describe()).isEqualTo("the receiver answered 302; redirects are not followed");
    assertThat(answer(500).describe()).isEqualTo("the receiver answered 500");
  }

  private static Answered answer(int status) {
    return new Answered(status, Optional.empty());
  }

  private static DeliveryDecision decide(DeliveryAttempt attempt, Failures before) {
    return DeliveryDecision.of(attempt, before, NOW, LIMIT);
  }
}
