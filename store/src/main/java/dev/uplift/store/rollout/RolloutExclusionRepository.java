package dev.uplift.store.rollout;

import dev.uplift.store.Transacted;
import io.micronaut.data.annotation.Query;
import io.micronaut.data.jdbc.annotation.JdbcRepository;
import io.micronaut.data.model.query.builder.sql.Dialect;
import io.micronaut.data.repository.GenericRepository;
import java.util.List;

/// The table `rollout_exclusion`, for [RolloutRepository].
@JdbcRepository(dialect = Dialect.POSTGRES)
@Transacted
interface RolloutExclusionRepository extends GenericRepository<ExclusionEntity, String> {
  void saveAll(Iterable<ExclusionEntity> excluded);

  @Query(
      """
      SELECT * FROM rollout_exclusion
      WHERE tenant = :tenant AND rollout = :rollout AND device > :after
      ORDER BY tenant, rollout, device LIMIT :limit\
      """)
  List<ExclusionEntity> listAfter(String tenant, String rollout, String after, int limit);
}
