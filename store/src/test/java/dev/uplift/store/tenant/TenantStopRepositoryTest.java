package dev.uplift.store.tenant;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.uplift.store.DatabaseScenario;
import dev.uplift.store.NoSuchTenant;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class TenantStopRepositoryTest extends DatabaseScenario {
  private TenantStopRepository stops = database.repository(TenantStopRepository.class);

  @BeforeEach
  void open() {
    stops = database.repository(TenantStopRepository.class);
  }

  @Test
  void aTenantIsStoppedUntilThatEnds() {
    TenantStopRow first = stops.stop(tenant, "a bad release", "ann");
    clock.advance(Duration.ofMinutes(1));
    TenantStopRow again = stops.stop(tenant, "a very bad release", "bob");

    assertThat(first).isEqualTo(new TenantStopRow(tenant, "a bad release", "ann", clock.instant().minusSeconds(60)));
    assertThat(again).isEqualTo(new TenantStopRow(tenant, "a very bad release", "bob", first.since()));
    assertThat(stops.find(tenant)).contains(again);
    assertThat(stops.find(newTenant())).isEmpty();
    assertThat(stops.end(tenant)).isTrue();
    assertThat(stops.end(tenant)).isFalse();
    assertThat(stops.find(tenant)).isEmpty();
  }

  @Test
  void aTenantThatDoesNotExistIsNotStopped() {
    assertThatThrownBy(() -> stops.stop("unknown", "a bad release", "ann")).isInstanceOf(NoSuchTenant.class);
  }
}
