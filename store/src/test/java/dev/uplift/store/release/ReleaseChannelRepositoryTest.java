package dev.uplift.store.release;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.uplift.fleet.Release;
import dev.uplift.store.DatabaseScenario;
import dev.uplift.store.NoSuchTenant;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class ReleaseChannelRepositoryTest extends DatabaseScenario {
  private static final Release FIRST = new Release("till", "1.0");
  private static final Release SECOND = new Release("till", "2.0");

  private ReleaseChannelRepository channels = database.repository(ReleaseChannelRepository.class);

  @BeforeEach
  void publish() {
    channels = database.repository(ReleaseChannelRepository.class);
    publish(FIRST, 1);
    publish(SECOND, 2);
  }

  @Test
  void aChannelPointsAtTheReleaseThatItWasMovedTo() {
    ReleaseChannelRow first = channels.move(tenant, "stable", FIRST, "ann");
    ReleaseChannelRow same = channels.move(tenant, "stable", FIRST, "bob");
    channels.move(tenant, "beta", SECOND, "ann");
    ReleaseChannelRow moved = channels.move(tenant, "stable", SECOND, "bob");

    assertThat(first).isEqualTo(new ReleaseChannelRow(tenant, "till", "stable", "1.0", "ann", clock.instant(), 1));
    assertThat(same).isEqualTo(first);
    assertThat(moved.revision()).isEqualTo(2);
    assertThat(moved.release()).isEqualTo(SECOND);
    assertThat(moved.movedBy()).isEqualTo("bob");
    assertThat(channels.list(tenant, "till")).extracting(ReleaseChannelRow::channel).containsExactly("beta", "stable");
    assertThat(channels.list(tenant, "os")).isEmpty();
    assertThat(channels.list(newTenant(), "till")).isEmpty();
  }

  @Test
  void aChannelIsRemovedAndItsReleaseStays() {
    channels.move(tenant, "stable", FIRST, "ann");

    assertThat(channels.remove(tenant, "till", "stable")).isTrue();
    assertThat(channels.remove(tenant, "till", "stable")).isFalse();
    assertThat(channels.find(tenant, "till", "stable")).isEmpty();
    assertThat(database.repository(ReleaseRepository.class).find(tenant, FIRST)).isPresent();
  }

  @Test
  void aReleaseThatIsNotPublishedIsRefused() {
    var unknown = new Release("till", "3.0");
    assertThatThrownBy(() -> channels.move(tenant, "stable", unknown, "ann")).isInstanceOf(NoSuchTenant.class);
    assertThat(channels.list(tenant, "till")).isEmpty();
  }

  private void publish(Release release, long sequence) {
    database
        .repository(ReleaseRepository.class)
        .put(
            new NewRelease(
                tenant, release, "simulated", sequence, "{}", "signature", Optional.empty(), clock.instant()));
  }
}
