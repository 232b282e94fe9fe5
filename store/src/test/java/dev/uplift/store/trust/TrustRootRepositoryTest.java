package dev.uplift.store.trust;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.uplift.store.DatabaseScenario;
import dev.uplift.store.NoSuchTenant;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class TrustRootRepositoryTest extends DatabaseScenario {
  private TrustRootRepository roots = database.repository(TrustRootRepository.class);

  @BeforeEach
  void open() {
    roots = database.repository(TrustRootRepository.class);
  }

  @Test
  void aRootIsStoredUnchangedAndTheHighestVersionCounts() {
    TrustRootRow first = roots.putIfAbsent(tenant, 1, "{ \"a\" : 1}\r\n", "x.y\n");
    clock.advance(Duration.ofDays(1));
    TrustRootRow second = roots.putIfAbsent(tenant, 2, "{}", "z");

    assertThat(first)
        .isEqualTo(new TrustRootRow(tenant, 1, "{ \"a\" : 1}\r\n", "x.y\n", clock.instant().minus(Duration.ofDays(1))));
    assertThat(roots.find(tenant, 1)).contains(first);
    assertThat(roots.findNewest(tenant)).contains(second);
    TrustRootRow other = roots.putIfAbsent(newTenant(), 1, "{}", "z");
    assertThat(roots.findNewest()).contains(second, other).doesNotContain(first);
    assertThat(roots.findRecordedSince(Instant.EPOCH)).contains(first, second);
    assertThat(roots.findRecordedSince(second.recordedAt())).contains(second).doesNotContain(first);
  }

  @Test
  void aRootNeverChanges() {
    TrustRootRow first = roots.putIfAbsent(tenant, 1, "one", "x");

    assertThat(roots.putIfAbsent(tenant, 1, "another", "y")).isEqualTo(first);
  }

  @Test
  void concurrentPublishersOfAVersionBothGetTheStoredOne() throws Exception {
    for (int version = 1; version <= 30; version++) {
      int same = version;
      try (var both = Executors.newVirtualThreadPerTaskExecutor()) {
        List<Future<TrustRootRow>> answers =
            both.invokeAll(
                List.of(
                    () -> roots.putIfAbsent(tenant, same, "of ann", "x"),
                    () -> roots.putIfAbsent(tenant, same, "of ben", "y")));

        assertThat(answers.getFirst().get()).isEqualTo(answers.getLast().get());
        assertThat(roots.findNewest(tenant)).contains(answers.getFirst().get());
      }
    }
  }

  @Test
  void aTenantThatDoesNotExistHasNoRoots() {
    assertThat(roots.findNewest("unknown")).isEmpty();
    assertThatThrownBy(() -> roots.putIfAbsent("unknown", 1, "", "")).isInstanceOf(NoSuchTenant.class);
  }
}
