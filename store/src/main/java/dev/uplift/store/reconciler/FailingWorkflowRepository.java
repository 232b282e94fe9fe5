package dev.uplift.store.reconciler;

import dev.uplift.store.NoSuchTenant;
import dev.uplift.store.StoredText;
import dev.uplift.store.Transacted;
import io.micronaut.data.annotation.Query;
import io.micronaut.data.jdbc.annotation.JdbcRepository;
import io.micronaut.data.model.query.builder.sql.Dialect;
import io.micronaut.data.repository.GenericRepository;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// The table `failing_workflow`: the workflows of all tenants whose task fails now.
@JdbcRepository(dialect = Dialect.POSTGRES)
@Transacted
public abstract class FailingWorkflowRepository implements GenericRepository<FailingWorkflow, String> {
  private static final String KEY = " WHERE tenant = :tenant AND workflow_id = :workflowId";
  private static final int MAX_ERROR = 1000;

  /// Records that the workflow fails, or still does.
  ///
  /// @throws NoSuchTenant if the tenant does not exist
  public void put(FailingWorkflow failing) {
    String error = StoredText.sanitize(failing.error());
    String cut = error.substring(0, Math.min(error.length(), MAX_ERROR));
    insertIfAbsent(failing.tenant(), failing.workflowId(), failing.failingSince(), failing.attempts(), cut);
    update(failing.tenant(), failing.workflowId(), failing.failingSince(), failing.attempts(), cut);
  }

  /// Those that have failed for longest come first.
  @Query("SELECT * FROM failing_workflow ORDER BY failing_since, tenant, workflow_id LIMIT :limit")
  public abstract List<FailingWorkflow> list(int limit);

  /// How many there are, of all tenants.
  @Query("SELECT COUNT(*) FROM failing_workflow")
  public abstract long countAll();

  /// Empty if the workflow does not fail.
  @Query("SELECT * FROM failing_workflow" + KEY)
  public abstract Optional<FailingWorkflow> find(String tenant, String workflowId);

  @Query(
      """
      INSERT INTO failing_workflow (tenant, workflow_id, failing_since, attempts, error)
      VALUES (:tenant, :workflowId, :failingSince, :attempts, :error)
      ON CONFLICT DO NOTHING\
      """)
  abstract int insertIfAbsent(String tenant, String workflowId, Instant failingSince, int attempts, String error);

  @Query("UPDATE failing_workflow SET failing_since = :failingSince, attempts = :attempts, error = :error" + KEY)
  abstract int update(String tenant, String workflowId, Instant failingSince, int attempts, String error);

  /// The workflow continues, or has ended. Of one that does not fail nothing is deleted.
  @Query("DELETE FROM failing_workflow" + KEY)
  public abstract int delete(String tenant, String workflowId);
}
