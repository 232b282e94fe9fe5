package dev.uplift.store.metrics;

import dev.uplift.store.Transacted;
import dev.uplift.store.rollout.RolloutRepository;
import dev.uplift.store.upgrade.UpgradeRow;
import io.micronaut.core.annotation.Introspected;
import io.micronaut.data.annotation.Query;
import io.micronaut.data.jdbc.annotation.JdbcRepository;
import io.micronaut.data.model.query.builder.sql.Dialect;
import io.micronaut.data.repository.GenericRepository;
import java.time.Instant;
import java.util.List;

/// Counts what is open in all tenants.
@JdbcRepository(dialect = Dialect.POSTGRES)
@Transacted
public abstract class FleetCountRepository implements GenericRepository<UpgradeRow, String> {
  /// Running upgrades in one phase.
  ///
  /// @param phase `prepare`, `wait`, `upgrade`, `rollback` or `revert`
  /// @param oldest when the one that has been in it for longest entered it; of those that wait, when it was started
  @Introspected
  public record PhaseCount(String phase, long upgrades, Instant oldest) {}

  /// Commands of running upgrades without an outcome.
  ///
  /// @param step of the command
  /// @param oldest when the oldest of them was created
  @Introspected
  public record OpenCommandCount(String step, long commands, Instant oldest) {}

  /// Rollouts that have neither ended nor are drafts.
  ///
  /// @param waitReason what they wait for; empty: nothing
  /// @param oldest of the newest starts and results in each of them, the oldest
  @Introspected
  public record OpenRolloutCount(String state, String waitReason, long rollouts, Instant oldest) {}

  /// Waves of open rollouts that have not completed.
  ///
  /// @param state `pending` (not started), `running` or `soaking`
  /// @param oldest when the first of them was started; of those that are pending, when the rollout was created
  @Introspected
  public record OpenWaveCount(String state, long waves, Instant oldest) {}

  /// Barriers that have not ended.
  ///
  /// @param state `halting`, `halted` or `resuming`
  /// @param oldest when the first of them had halted, or, of those that have not, was started
  /// @param haltedHosts of all of them
  @Introspected
  public record OpenBarrierCount(String state, long barriers, Instant oldest, long haltedHosts) {}

  /// Webhooks.
  ///
  /// @param state `working`, `failing` (its receiver accepts nothing) or `disabled`
  @Introspected
  public record WebhookCount(String state, long webhooks) {}

  /// Counts the running upgrades, by the phase that their commands show.
  @Query(
      """
      SELECT phase, COUNT(*) AS upgrades, MIN(since) AS oldest FROM (
        SELECT CASE WHEN revert_of IS NOT NULL THEN 'revert' WHEN rollback_at IS NOT NULL THEN 'rollback'
            WHEN upgrade_at IS NOT NULL THEN 'upgrade' WHEN prepare_at IS NOT NULL THEN 'prepare'
            ELSE 'wait' END AS phase,
          CASE WHEN revert_of IS NOT NULL THEN started_at
            ELSE COALESCE(rollback_at, upgrade_at, prepare_at, started_at) END AS since
        FROM (
          SELECT u.tenant, u.id, u.revert_of, u.started_at,
            MIN(CASE WHEN c.step = 'rollback' AND c.epoch > 0 THEN c.created_at END) AS rollback_at,
            MIN(CASE WHEN c.step = 'upgrade' AND c.epoch > 0 THEN c.created_at END) AS upgrade_at,
            MIN(CASE WHEN c.step = 'prepare' AND c.closed_at IS NULL THEN c.created_at END) AS prepare_at
          FROM upgrade u LEFT JOIN command c ON c.tenant = u.tenant AND c.upgrade = u.id
          WHERE u.state = 'running' GROUP BY u.tenant, u.id, u.revert_of, u.started_at) running) phases
      GROUP BY phase\
      """)
  public abstract List<PhaseCount> countRunningUpgrades();

  /// Counts the commands that hosts have not answered, by step.
  @Query(
      """
      SELECT c.step, COUNT(*) AS commands, MIN(c.created_at) AS oldest
      FROM upgrade u JOIN command c ON c.tenant = u.tenant AND c.upgrade = u.id
      WHERE u.state = 'running' AND c.closed_at IS NULL GROUP BY c.step\
      """)
  public abstract List<OpenCommandCount> countOpenCommands();

  /// Counts the open rollouts, by state and by what they wait for.
  @Query(
      """
      SELECT state, wait_reason, COUNT(*) AS rollouts, MIN(progress) AS oldest FROM (
        SELECT r.state, COALESCE(r.wait_reason, '') AS wait_reason, GREATEST(
          COALESCE(r.started_at, r.created_at),
          COALESCE((SELECT MAX(t.started_at) FROM rollout_target t
            WHERE t.tenant = r.tenant AND t.rollout = r.id), r.created_at),
          COALESCE((SELECT MAX(w.last_ended_at) FROM rollout_wave w
            WHERE w.tenant = r.tenant AND w.rollout = r.id), r.created_at),
          COALESCE((SELECT MAX(w.started_at) FROM rollout_wave w
            WHERE w.tenant = r.tenant AND w.rollout = r.id), r.created_at)) AS progress
        FROM rollout r WHERE r.state IN \
      """
          + RolloutRepository.OPEN_STATES
          + ") progressing GROUP BY state, wait_reason")
  public abstract List<OpenRolloutCount> countOpenRollouts();

  /// Counts the waves of open rollouts that have not completed, by state.
  @Query(
      """
      SELECT state, COUNT(*) AS waves, MIN(since) AS oldest FROM (
        SELECT CASE WHEN w.started_at IS NULL THEN 'pending' WHEN r.wait_reason = 'soak' THEN 'soaking'
            ELSE 'running' END AS state,
          COALESCE(w.started_at, r.created_at) AS since
        FROM rollout r JOIN rollout_wave w ON w.tenant = r.tenant AND w.rollout = r.id
        WHERE w.completed_at IS NULL AND r.state IN \
      """
          + RolloutRepository.OPEN_STATES
          + ") waves GROUP BY state")
  public abstract List<OpenWaveCount> countOpenWaves();

  /// How many devices there are.
  @Query("SELECT COUNT(*) FROM device")
  public abstract long countDevices();

  /// How many hosts are on a device.
  @Query("SELECT COUNT(*) FROM host WHERE device IS NOT NULL")
  public abstract long countHosts();

  /// Counts the open barriers and the hosts that they have halted, by state.
  @Query(
      """
      SELECT state, COUNT(*) AS barriers, MIN(since) AS oldest, CAST(SUM(hosts) AS BIGINT) AS halted_hosts FROM (
        SELECT b.state, COALESCE(b.halted_at, b.created_at) AS since,
          (SELECT COUNT(*) FROM barrier_host h
            WHERE h.tenant = b.tenant AND h.barrier = b.name AND h.state = 'halted') AS hosts
        FROM barrier b WHERE b.state IN ('halting', 'halted', 'resuming')) barriers
      GROUP BY state\
      """)
  public abstract List<OpenBarrierCount> countOpenBarriers();

  /// Counts the webhooks, by state.
  @Query(
      """
      SELECT state, COUNT(*) AS webhooks FROM (
        SELECT CASE WHEN w.enabled = FALSE THEN 'disabled' WHEN d.failing_since IS NULL THEN 'working'
          ELSE 'failing' END AS state
        FROM webhook w JOIN webhook_delivery d ON d.tenant = w.tenant AND d.webhook = w.name) webhooks
      GROUP BY state\
      """)
  public abstract List<WebhookCount> countWebhooks();
}
