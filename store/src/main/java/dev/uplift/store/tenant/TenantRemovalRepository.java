package dev.uplift.store.tenant;

import dev.uplift.store.Transacted;
import io.micronaut.data.annotation.Query;
import io.micronaut.data.jdbc.annotation.JdbcRepository;
import io.micronaut.data.jdbc.runtime.JdbcOperations;
import io.micronaut.data.model.query.builder.sql.Dialect;
import io.micronaut.data.repository.GenericRepository;
import java.util.List;
import java.util.Optional;

/// What belongs to a tenant, in all tables, and its removal in batches.
///
/// The tenant itself and its audit stay. The keys of its hosts are a matter of
/// [dev.uplift.store.enrolment.EnrolmentRepository].
@JdbcRepository(dialect = Dialect.POSTGRES)
@Transacted
public abstract class TenantRemovalRepository implements GenericRepository<TenantRow, String> {
  /// Rows of a table, in an order in which nothing refers to rows that are gone. A cancel is deleted after what it
  /// cancels.
  ///
  /// @param key of the table, without the tenant
  private record Rows(String table, String key, String condition) {
    Rows(String table, String key) {
      this(table, key, "TRUE");
    }

    String delete() {
      return """
      DELETE FROM %1$s WHERE tenant = ? AND (%2$s) IN (SELECT %2$s FROM %1$s WHERE tenant = ? AND %3$s LIMIT ?)\
      """
          .formatted(table, key, condition);
    }
  }

  private static final List<Rows> TABLES =
      List.of(
          new Rows("late_outcome", "command, number"),
          new Rows("command", "id", "cancelled_by IS NOT NULL"),
          new Rows("command", "id"),
          new Rows("host_epoch", "host"),
          new Rows("heartbeat_wait", "host"),
          new Rows("failing_workflow", "workflow_id"),
          new Rows("rollout_target", "rollout, device"),
          new Rows("rollout_decision", "rollout, number"),
          new Rows("rollout_exclusion", "rollout, device"),
          new Rows("rollout_wave", "rollout, number"),
          new Rows("rollout", "id"),
          new Rows("policy_evaluation", "policy"),
          new Rows("policy", "name"),
          new Rows("barrier_device", "device, package"),
          new Rows("barrier_host", "barrier, host"),
          new Rows("barrier", "name"),
          new Rows("webhook_escalation", "webhook, kind, subject, since"),
          new Rows("webhook_delivery", "webhook"),
          new Rows("webhook", "name"),
          new Rows("upgrade_wait", "upgrade"),
          new Rows("upgrade", "id"),
          new Rows("release_channel", "package, channel"),
          new Rows("release", "package, version"),
          new Rows("label_window", "label, label_value"),
          new Rows("tenant_event", "id"),
          new Rows("tenant_event_counter", "tenant"),
          new Rows("host_version_change", "number"),
          new Rows("host_version", "package, host"),
          new Rows("host_heartbeat", "host"),
          new Rows("host_hold", "host, package"),
          new Rows("host_offer", "host, package"),
          new Rows("host", "name"),
          new Rows("device_label", "device, label"),
          new Rows("pin", "device, package"),
          new Rows("device", "name"),
          new Rows("trust_root", "version"),
          new Rows("token_revocation", "number"),
          new Rows("api_token", "number"),
          new Rows("tenant_stop", "tenant"),
          new Rows("group_lock", "tenant"),
          new Rows("enrolment_token", "hash"));

  private final JdbcOperations jdbc;

  protected TenantRemovalRepository(JdbcOperations jdbc) {
    this.jdbc = jdbc;
  }

  /// Counts what a person knows of the tenant.
  @Query(
      """
      SELECT
        (SELECT COUNT(*) FROM device WHERE tenant = :tenant) AS devices,
        (SELECT COUNT(*) FROM host WHERE tenant = :tenant) AS hosts,
        (SELECT COUNT(*) FROM host_credential WHERE tenant = :tenant AND revoked_at IS NULL) AS credentials,
        (SELECT COUNT(*) FROM release WHERE tenant = :tenant) AS releases,
        (SELECT COUNT(*) FROM upgrade WHERE tenant = :tenant) AS upgrades,
        (SELECT COUNT(*) FROM rollout WHERE tenant = :tenant) AS rollouts\
      """)
  public abstract TenantContents countContents(String tenant);

  /// Returns an upgrade that has not ended.
  @Query("SELECT id FROM upgrade WHERE tenant = :tenant AND state = 'running' ORDER BY id LIMIT 1")
  public abstract Optional<String> findRunningUpgrade(String tenant);

  /// Returns a rollout that is neither a draft nor has ended.
  @Query("SELECT id FROM rollout WHERE tenant = :tenant AND state NOT IN ('draft', 'ended') ORDER BY id LIMIT 1")
  public abstract Optional<String> findOpenRollout(String tenant);

  /// Returns a barrier that has not ended.
  @Query("SELECT name FROM barrier WHERE tenant = :tenant AND state <> 'ended' ORDER BY name LIMIT 1")
  public abstract Optional<String> findOpenBarrier(String tenant);

  /// Deletes the policies, so that none begins anything more.
  @Query("DELETE FROM policy WHERE tenant = :tenant")
  public abstract int deletePolicies(String tenant);

  /// Deletes the webhooks, so that none is sent anything more.
  @Query("DELETE FROM webhook WHERE tenant = :tenant")
  public abstract int deleteWebhooks(String tenant);

  /// Deletes up to `limit` rows. Returns how many; 0: none is left.
  public int deleteBatch(String tenant, int limit) {
    for (Rows rows : TABLES) {
      int deleted =
          jdbc.prepareStatement(
              rows.delete(),
              statement -> {
                statement.setString(1, tenant);
                statement.setString(2, tenant);
                statement.setInt(3, limit);
                return statement.executeUpdate();
              });
      if (deleted > 0) {
        return deleted;
      }
    }
    return 0;
  }
}
