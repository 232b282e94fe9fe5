package dev.uplift.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class RootsTest extends OnBothDatabases {
  private Roots roots = new Roots(database, clock);

  @BeforeEach
  void open() {
    roots = new Roots(database, clock);
  }

  @Test
  void aRootIsKeptToTheLastByteAndTheHighestVersionCounts() {
    RootRow first = roots.put(tenant, 1, "{ \"a\" : 1}\r\n", "x.y\n");
    clock.pass(Duration.ofDays(1));
    RootRow second = roots.put(tenant, 2, "{}", "z");

    assertThat(first)
        .isEqualTo(
            new RootRow(
                tenant, 1, "{ \"a\" : 1}\r\n", "x.y\n", clock.instant().minus(Duration.ofDays(1))));
    assertThat(roots.find(tenant, 1)).contains(first);
    assertThat(roots.newest(tenant)).contains(second);
    RootRow other = roots.put(newTenant(), 1, "{}", "z");
    assertThat(roots.newest()).contains(second, other).doesNotContain(first);
    assertThat(roots.since(Instant.EPOCH)).contains(first, second);
    assertThat(roots.since(second.recordedAt())).contains(second).doesNotContain(first);
  }

  @Test
  void aRootNeverChanges() {
    RootRow first = roots.put(tenant, 1, "one", "x");

    assertThat(roots.put(tenant, 1, "another", "y")).isEqualTo(first);
  }

  @Test
  void ofTwoWhoPublishTheSameVersionAtOnceBothHearWhichOneStands() throws Exception {
    for (int version = 1; version <= 30; version++) {
      int same = version;
      try (var both = Executors.newVirtualThreadPerTaskExecutor()) {
        List<Future<RootRow>> answers =
            both.invokeAll(
                List.of(
                    () -> roots.put(tenant, same, "of ann", "x"),
                    () -> roots.put(tenant, same, "of ben", "y")));

        assertThat(answers.getFirst().get()).isEqualTo(answers.getLast().get());
        assertThat(roots.newest(tenant)).contains(answers.getFirst().get());
      }
    }
  }

  @Test
  void aTenantThatDoesNotExistHasNoRoots() {
    assertThat(roots.newest("nobody")).isEmpty();
    assertThatThrownBy(() -> roots.put("nobody", 1, "", "")).isInstanceOf(NoSuchTenant.class);
  }
}
