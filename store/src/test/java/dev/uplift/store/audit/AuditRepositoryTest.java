package dev.uplift.store.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.uplift.store.DatabaseScenario;
import dev.uplift.store.NoSuchTenant;
import dev.uplift.store.Page;
import dev.uplift.store.PageRequest;
import dev.uplift.store.device.DeviceRepository;
import dev.uplift.store.device.Precondition;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class AuditRepositoryTest extends DatabaseScenario {
  private AuditRepository audit = database.repository(AuditRepository.class);

  @BeforeEach
  void open() {
    audit = database.repository(AuditRepository.class);
  }

  @Test
  void entriesAreListedNewestFirst() {
    audit.append(entry("ann", "device/left"));
    clock.advance(Duration.ofMinutes(1));
    audit.append(entry("bob", "device/right"));
    audit.append(entry("cid", "device/left"));

    Page<AuditRow> first = audit.list(tenant, Optional.empty(), PageRequest.first(2));
    Page<AuditRow> second = audit.list(tenant, Optional.empty(), PageRequest.first(2).next(first).orElseThrow());

    List<AuditRow> rows = Stream.concat(first.rows().stream(), second.rows().stream()).toList();
    assertThat(rows)
        .extracting(AuditRow::entry)
        .containsExactly(entry("cid", "device/left"), entry("bob", "device/right"), entry("ann", "device/left"));
    assertThat(rows.getFirst().occurredAt()).isEqualTo(clock.instant());
    assertThat(second.next()).isEmpty();
  }

  @Test
  void entriesAboutOneResourceAreFound() {
    audit.append(entry("ann", "device/left"));
    audit.append(entry("bob", "device/right"));

    assertThat(audit.list(tenant, Optional.of("device/right"), PageRequest.first(9)).rows())
        .extracting(row -> row.entry().actor())
        .containsExactly("bob");
  }

  @Test
  void anEntryIsWrittenInTheTransactionOfTheChange() {
    var deviceRepository = database.repository(DeviceRepository.class);

    assertThatThrownBy(() ->
            database.inTransaction(() -> {
              audit.append(entry("ann", "device/left"));
              deviceRepository.put(spec("left", "left"), Precondition.absent());
              throw new IllegalStateException("something else failed");
            }))
        .hasMessage("something else failed");

    assertThat(audit.list(tenant, Optional.empty(), PageRequest.first(9)).rows()).isEmpty();
    assertThat(deviceRepository.find(device("left"))).isEmpty();
  }

  @Test
  void aTenantThatDoesNotExistHasNoAudit() {
    assertThatThrownBy(() -> audit.append(new AuditEntry("unknown", "ann", "device.put", "x", "", "")))
        .isInstanceOf(NoSuchTenant.class);
  }

  private AuditEntry entry(String who, String target) {
    return new AuditEntry(tenant, who, "device.put", target, "192.0.2.7", "{}");
  }
}
