package dev.uplift.store.token;

import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.store.DatabaseScenario;
import dev.uplift.store.Page;
import dev.uplift.store.PageRequest;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class ApiTokenRepositoryTest extends DatabaseScenario {
  private ApiTokenRepository tokens = database.repository(ApiTokenRepository.class);

  @BeforeEach
  void open() {
    tokens = database.repository(ApiTokenRepository.class);
  }

  @Test
  void tokensOfATenantAreListedNewestFirst() {
    Instant now = clock.instant();
    ApiTokenRow first = create(tenant, "t-1", now.plusSeconds(60));
    ApiTokenRow second = create(tenant, "t-2", now.plusSeconds(60));
    create(newTenant(), "t-3", now.plusSeconds(60));

    Page<ApiTokenRow> newest = tokens.list(tenant, PageRequest.first(1));
    Page<ApiTokenRow> rest = tokens.list(tenant, PageRequest.first(1).next(newest).orElseThrow());

    assertThat(first)
        .isEqualTo(
            new ApiTokenRow(
                first.number(), tenant, "t-1", "ci", "viewer", "hash-t-1", "ann", now, now.plusSeconds(60), null));
    assertThat(newest.rows()).containsExactly(second);
    assertThat(rest.rows()).containsExactly(first);
    assertThat(rest.next()).isEmpty();
    assertThat(tokens.count(tenant)).isEqualTo(2);
  }

  @Test
  void theFingerprintChangesWithEachCreationAndEachDeletion() {
    create(tenant, "t-1", clock.instant().plusSeconds(60));
    String before = tokens.fingerprint();
    create(tenant, "t-2", clock.instant().plusSeconds(120));
    String after = tokens.fingerprint();
    clock.advance(Duration.ofSeconds(61));

    assertThat(tokens.deleteExpired(tenant)).isEqualTo(1);

    assertThat(after).isNotEqualTo(before);
    assertThat(tokens.fingerprint()).isNotIn(before, after);
    assertThat(tokens.list(tenant, PageRequest.first(9)).rows()).extracting(ApiTokenRow::id).containsExactly("t-2");
  }

  @Test
  void theLastUseIsKnownToTenMinutes() {
    create(tenant, "t-1", clock.instant().plusSeconds(6000));
    Instant used = clock.instant();

    tokens.recordUse(tenant, "t-1", used);
    tokens.recordUse(tenant, "t-1", used.plusSeconds(599));
    assertThat(lastUse()).isEqualTo(used);

    tokens.recordUse(tenant, "t-1", used.plusSeconds(601));
    assertThat(lastUse()).isEqualTo(used.plusSeconds(601));
  }

  private @Nullable Instant lastUse() {
    return tokens.list(tenant, PageRequest.first(1)).rows().getFirst().lastUsedAt();
  }

  private ApiTokenRow create(String owner, String id, Instant expiresAt) {
    return tokens.create(owner, id, "ci", "viewer", "hash-" + id, "ann", expiresAt);
  }
}
