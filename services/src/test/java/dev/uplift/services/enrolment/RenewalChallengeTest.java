package dev.uplift.services.enrolment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.protocol.enrolment.RenewRequest;
import dev.uplift.protocol.nats.Nkey;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class RenewalChallengeTest {
  private static final Instant NOW = Instant.parse("2026-03-29T01:30:00Z");

  private final Nkey server = Nkey.generate(Nkey.Kind.ACCOUNT);
  private final RenewalChallenge challenges = new RenewalChallenge(server);
  private final Nkey host = Nkey.generate(Nkey.Kind.USER);
  private final String challenge = challenges.create(request("left", ""), NOW);

  @Test
  void aRequestWithAChallengeOfTheServerIsFreshForFiveMinutes() {
    RenewRequest request = request("left", challenge);

    assertThat(request.hasValidSignatures()).isTrue();
    assertThat(challenges.isFresh(request, NOW)).isTrue();
    assertThat(new RenewalChallenge(server).isFresh(request, NOW.plusSeconds(300))).as("another server").isTrue();
  }

  @Test
  void aRequestThatWasRecordedCannotBeUsedLater() {
    assertThat(challenges.isFresh(request("left", challenge), NOW.plus(Duration.ofSeconds(301)))).isFalse();
  }

  @Test
  void aChallengeIsForOneHostAndOneKey() {
    RenewRequest otherKey = RenewRequest.of("acme", "left", Nkey.generate(Nkey.Kind.USER), challenge);

    assertThat(challenges.isFresh(request("right", challenge), NOW)).isFalse();
    assertThat(challenges.isFresh(otherKey, NOW)).isFalse();
  }

  @Test
  void aChallengeIsMadeByAServerOnly() {
    String forged = new RenewalChallenge(Nkey.generate(Nkey.Kind.ACCOUNT)).create(request("left", ""), NOW);
    String later = challenges.create(request("left", ""), NOW.plusSeconds(3600));

    assertThat(challenges.isFresh(request("left", forged), NOW)).isFalse();
    assertThat(challenges.isFresh(request("left", later), NOW)).as("from the future").isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", ".", "1", "1774747800.", "1774747800.AAAA", "x.y", "99999999999999999999.AA"})
  void whatIsNoChallengeIsNotFresh(String text) {
    assertThat(challenges.isFresh(request("left", text), NOW)).isFalse();
  }

  private RenewRequest request(String name, String text) {
    return RenewRequest.of("acme", name, host, text);
  }
}
