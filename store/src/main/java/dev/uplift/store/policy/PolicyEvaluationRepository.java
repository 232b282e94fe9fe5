package dev.uplift.store.policy;

import dev.uplift.fleet.policy.PolicyId;
import dev.uplift.store.LineCodec;
import dev.uplift.store.StoreClock;
import dev.uplift.store.Transacted;
import io.micronaut.data.annotation.Query;
import io.micronaut.data.jdbc.annotation.JdbcRepository;
import io.micronaut.data.model.query.builder.sql.Dialect;
import io.micronaut.data.repository.GenericRepository;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The table `policy_evaluation`: what the servers find out about a policy. [PolicyRepository] has what people say.
@JdbcRepository(dialect = Dialect.POSTGRES)
@Transacted
public abstract class PolicyEvaluationRepository implements GenericRepository<PolicyEvaluationRow, String> {
  private final StoreClock clock;

  protected PolicyEvaluationRepository(StoreClock clock) {
    this.clock = clock;
  }

  /// Records an evaluation of all devices. Of a policy that was deleted meanwhile it records nothing.
  ///
  /// @param complete whether nothing is left to do
  /// @param conflicts names of the policies that overrule it
  public void record(PolicyRow policy, boolean complete, List<String> conflicts) {
    Instant now = clock.now();
    @Nullable Instant since = complete ? completeSince(policy).orElse(now) : null;
    String names = LineCodec.encode(conflicts);
    if (update(policy.tenant(), policy.name(), policy.version(), now, since, names) == 0) {
      insertIfAbsent(policy.tenant(), policy.name(), policy.version(), now, since, names);
    }
  }

  /// Another version of the policy asks for something else.
  private Optional<Instant> completeSince(PolicyRow policy) {
    return find(policy.id())
        .filter(before -> before.policyVersion() == policy.version())
        .flatMap(PolicyEvaluationRow::completeSince);
  }

  /// Empty if the policy was never evaluated.
  public Optional<PolicyEvaluationRow> find(PolicyId policy) {
    return findByTenantAndPolicy(policy.tenant(), policy.name());
  }

  abstract Optional<PolicyEvaluationRow> findByTenantAndPolicy(String tenant, String policy);

  @Query(
      """
      UPDATE policy_evaluation SET policy_version = :version, evaluated_at = :now, complete_since = :since,
        conflicts = :conflicts WHERE tenant = :tenant AND policy = :policy\
      """)
  abstract int update(
      String tenant, String policy, long version, Instant now, @Nullable Instant since, String conflicts);

  @Query(
      """
      INSERT INTO policy_evaluation (tenant, policy, policy_version, evaluated_at, complete_since, conflicts)
      SELECT tenant, name, CAST(:version AS BIGINT), CAST(:now AS TIMESTAMP(3) WITH TIME ZONE),
        CAST(:since AS TIMESTAMP(3) WITH TIME ZONE), CAST(:conflicts AS VARCHAR)
      FROM policy WHERE tenant = :tenant AND name = :policy
      ON CONFLICT DO NOTHING\
      """)
  abstract int insertIfAbsent(
      String tenant, String policy, long version, Instant now, @Nullable Instant since, String conflicts);
}
