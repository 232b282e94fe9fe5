package dev.uplift.store.token;

import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.store.DatabaseScenario;
import dev.uplift.store.Page;
import dev.uplift.store.PageRequest;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class TokenRevocationRepositoryTest extends DatabaseScenario {
  private TokenRevocationRepository revocations = database.repository(TokenRevocationRepository.class);

  @BeforeEach
  void open() {
    revocations = database.repository(TokenRevocationRepository.class);
  }

  @Test
  void revocationsAreListedNewestFirstWithThoseOfEveryTenant() {
    Instant now = clock.instant();
    TokenRevocationRow token = revocations.revokeToken(tenant, "t-1", "lost laptop", "ann");
    TokenRevocationRow subject = revocations.revokeSubject("*", "bob", now.minusSeconds(60), "", "ann");
    revocations.revokeToken(newTenant(), "t-2", "", "cid");

    Page<TokenRevocationRow> first = revocations.list(tenant, PageRequest.first(1));
    Page<TokenRevocationRow> second = revocations.list(tenant, PageRequest.first(1).next(first).orElseThrow());

    assertThat(token)
        .isEqualTo(new TokenRevocationRow(token.number(), tenant, "t-1", "", now, "lost laptop", "ann", now));
    assertThat(first.rows()).containsExactly(subject);
    assertThat(second.rows()).containsExactly(token);
    assertThat(second.next()).isEmpty();
    assertThat(revocations.count(tenant)).isEqualTo(1);
    assertThat(revocations.listAll()).hasSizeGreaterThanOrEqualTo(3);
  }

  @Test
  void theFingerprintChangesWithEachRevocationAndEachDeletion() {
    String before = revocations.fingerprint();
    revocations.revokeToken(tenant, "t-1", "", "ann");
    String after = revocations.fingerprint();
    clock.advance(Duration.ofDays(100));
    revocations.revokeToken(tenant, "t-2", "", "ann");

    assertThat(revocations.deleteRevokedBefore(clock.instant().minus(Duration.ofDays(90)))).isPositive();

    assertThat(after).isNotEqualTo(before);
    assertThat(revocations.fingerprint()).isNotIn(before, after);
    assertThat(revocations.list(tenant, PageRequest.first(9)).rows())
        .extracting(TokenRevocationRow::tokenId)
        .containsExactly("t-2");
  }
}
