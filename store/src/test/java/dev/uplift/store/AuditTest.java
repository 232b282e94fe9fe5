package dev.uplift.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class AuditTest extends OnBothDatabases {
  private Audit audit = new Audit(database, clock);

  @BeforeEach
  void open() {
    audit = new Audit(database, clock);
  }

  @Test
  void whoDidWhatIsListedNewestFirst() {
    audit.append(entry("ann", "device/left"));
    clock.pass(Duration.ofMinutes(1));
    audit.append(entry("bob", "device/right"));
    audit.append(entry("cid", "device/left"));

    Page<AuditRow> first = audit.list(tenant, Optional.empty(), PageRequest.first(2));
    Page<AuditRow> second =
        audit.list(tenant, Optional.empty(), PageRequest.first(2).after(first).orElseThrow());

    List<AuditRow> rows = Stream.concat(first.rows().stream(), second.rows().stream()).toList();
    assertThat(rows)
        .extracting(AuditRow::entry)
        .containsExactly(
            entry("cid", "device/left"), entry("bob", "device/right"), entry("ann", "device/left"));
    assertThat(rows.getFirst().at()).isEqualTo(clock.instant());
    assertThat(second.next()).isEmpty();
  }

  @Test
  void whatWasDoneToOneThingIsFound() {
    audit.append(entry("ann", "device/left"));
    audit.append(entry("bob", "device/right"));

    assertThat(audit.list(tenant, Optional.of("device/right"), PageRequest.first(9)).rows())
        .extracting(row -> row.entry().who())
        .containsExactly("bob");
  }

  @Test
  void itIsKeptTogetherWithWhatWasDoneOrNotAtAll() {
    var devices = new Devices(database, clock);

    assertThatThrownBy(() ->
            database.together(() -> {
              audit.append(entry("ann", "device/left"));
              devices.put(spec("left", "left"), Expected.absent());
              throw new IllegalStateException("something else failed");
            }))
        .hasMessage("something else failed");

    assertThat(audit.list(tenant, Optional.empty(), PageRequest.first(9)).rows()).isEmpty();
    assertThat(devices.find(device("left"))).isEmpty();
  }

  @Test
  void aTenantThatDoesNotExistHasNoAudit() {
    assertThatThrownBy(
            () -> audit.append(new AuditEntry("nobody", "ann", "device.put", "x", "", "")))
        .isInstanceOf(NoSuchTenant.class);
  }

  private AuditEntry entry(String who, String target) {
    return new AuditEntry(tenant, who, "device.put", target, "192.0.2.7", "{}");
  }
}
