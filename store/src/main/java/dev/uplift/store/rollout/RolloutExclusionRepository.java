package dev.uplift.store.rollout;

import dev.uplift.fleet.RolloutId;
import dev.uplift.store.Cursor;
import dev.uplift.store.Page;
import dev.uplift.store.PageRequest;
import dev.uplift.store.TextColumn;
import dev.uplift.store.Transacted;
import dev.uplift.store.rollout.RolloutMembership.ExcludedDevice;
import io.micronaut.data.annotation.Id;
import io.micronaut.data.annotation.MappedEntity;
import io.micronaut.data.annotation.MappedProperty;
import io.micronaut.data.annotation.Query;
import io.micronaut.data.jdbc.annotation.JdbcRepository;
import io.micronaut.data.model.query.builder.sql.Dialect;
import io.micronaut.data.repository.GenericRepository;
import java.util.List;
import java.util.Optional;

/// The table `rollout_exclusion`: selected devices that a rollout left out when it was planned.
@JdbcRepository(dialect = Dialect.POSTGRES)
@Transacted
public abstract class RolloutExclusionRepository
    implements GenericRepository<RolloutExclusionRepository.Exclusion, String> {
  /// A row of the table.
  @MappedEntity("rollout_exclusion")
  record Exclusion(
      String tenant,
      String rollout,
      @Id String device,
      String reason,
      @MappedProperty(converter = TextColumn.class) String detail) {
    static Exclusion of(RolloutId id, ExcludedDevice one) {
      return new Exclusion(id.tenant(), id.name(), one.device(), one.reason(), one.detail());
    }
  }

  /// The selected devices that take no part, by name.
  public Page<ExcludedDevice> list(RolloutId id, PageRequest page) {
    String after = Cursor.of(page, 1).map(cursor -> cursor.part(0)).orElse("");
    return Cursor.toPage(
        listAfter(id.tenant(), id.name(), after, page.limit() + 1), page, one -> Cursor.encode(one.device()));
  }

  /// Returns why a rollout left a device out when it was planned, if it did.
  public Optional<ExcludedDevice> find(RolloutId id, String device) {
    return find(id.tenant(), id.name(), device);
  }

  abstract void saveAll(Iterable<Exclusion> excluded);

  @Query(
      """
      SELECT device, reason, detail FROM rollout_exclusion
      WHERE tenant = :tenant AND rollout = :rollout AND device > :after
      ORDER BY tenant, rollout, device LIMIT :limit\
      """)
  abstract List<ExcludedDevice> listAfter(String tenant, String rollout, String after, int limit);

  @Query(
      """
      SELECT device, reason, detail FROM rollout_exclusion
      WHERE tenant = :tenant AND rollout = :rollout AND device = :device\
      """)
  abstract Optional<ExcludedDevice> find(String tenant, String rollout, String device);
}
