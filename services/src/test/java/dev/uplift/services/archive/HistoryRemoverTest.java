package dev.uplift.services.archive;

import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.fleet.HostId;
import dev.uplift.fleet.Release;
import dev.uplift.store.Database;
import dev.uplift.store.DatabaseSettings;
import dev.uplift.store.PageRequest;
import dev.uplift.store.device.HostInfo;
import dev.uplift.store.device.HostRepository;
import dev.uplift.store.event.TenantEventRepository;
import dev.uplift.store.event.TenantEventRow;
import dev.uplift.store.tenant.TenantRepository;
import dev.uplift.store.version.HostVersionRepository;
import dev.uplift.store.version.HostVersionRow;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class HistoryRemoverTest {
  private static final HostId LEFT = new HostId("left");

  private Instant now = Instant.parse("2026-11-23T07:00:00Z");
  private final Database database = Database.open(DatabaseSettings.h2InMemory(), () -> now);
  private final HostVersionRepository versions = database.repository(HostVersionRepository.class);
  private final TenantEventRepository events = database.repository(TenantEventRepository.class);

  @AfterEach
  void close() {
    database.close();
  }

  @Test
  void versionsThatNoLongerRunAreRemovedAfterTheirTime() {
    database.repository(TenantRepository.class).put("acme", "");
    report("1");
    now = now.plus(Duration.ofDays(1000));
    report("2");
    report("3");
    var remover = new HistoryRemover(versions, events, () -> now);

    now = now.plus(HistoryRemover.VERSION_AGE);
    assertThat(remover.run()).as("not before its time").isZero();
    now = now.plusMillis(1);
    assertThat(remover.run()).isEqualTo(2);
    assertThat(remover.run()).isZero();

    assertThat(versions.list("acme", LEFT, Optional.empty(), PageRequest.first(10)).rows())
        .extracting(HostVersionRow::version)
        .containsExactly(Optional.of("3"));
  }

  @Test
  void eventsAreRemovedAfterTheirTimeWhetherOrNotTheyWereRead() {
    database.repository(TenantRepository.class).put("acme", "");
    events.appendPublished("acme", new Release("os", "1"));
    events.numberNew("acme");
    events.appendPublished("acme", new Release("os", "2"));
    var remover = new HistoryRemover(versions, events, () -> now);

    now = now.plus(HistoryRemover.EVENT_AGE);
    assertThat(remover.run()).as("not before its time").isZero();
    now = now.plusMillis(1);
    assertThat(remover.run()).isEqualTo(2);

    events.appendPublished("acme", new Release("os", "3"));
    events.numberNew("acme");
    assertThat(events.listAfter("acme", 0, 10)).extracting(TenantEventRow::number).containsExactly(2L);
  }

  private void report(String version) {
    database
        .repository(HostRepository.class)
        .recordInfo(
            "acme",
            LEFT,
            new HostInfo("{}", "0.1.0", "amd64", List.of(), "b", "i", "running", Map.of("os", version), now),
            List.of(),
            List.of());
  }
}
