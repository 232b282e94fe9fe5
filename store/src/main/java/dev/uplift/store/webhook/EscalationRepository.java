package dev.uplift.store.webhook;

import dev.uplift.fleet.RolloutId;
import dev.uplift.fleet.barrier.BarrierId;
import dev.uplift.store.StoreClock;
import dev.uplift.store.Transacted;
import dev.uplift.store.event.TenantEventRepository;
import dev.uplift.store.upgrade.UpgradeWaitRepository;
import io.micronaut.data.annotation.Query;
import io.micronaut.data.jdbc.annotation.JdbcRepository;
import io.micronaut.data.model.query.builder.sql.Dialect;
import io.micronaut.data.repository.GenericRepository;
import java.time.Instant;
import java.util.List;

/// The table `webhook_escalation`.
@JdbcRepository(dialect = Dialect.POSTGRES)
@Transacted
public abstract class EscalationRepository implements GenericRepository<WebhookRow, String> {
  /// A barrier waits for a person unless the upgrade of a device is its migration.
  private static final String OPEN_WAITS =
      """
      SELECT tenant, 'rollout' AS kind, id AS subject, wait_since AS since FROM rollout
        WHERE state IN ('waiting-approval', 'paused') AND wait_since IS NOT NULL
      UNION ALL SELECT tenant, 'barrier' AS kind, name AS subject, halted_at AS since FROM barrier
        WHERE state = 'halted' AND migrated_by IS NULL AND continued_by IS NULL AND aborted_by IS NULL
      UNION ALL SELECT p.tenant, 'upgrade' AS kind, p.upgrade AS subject, p.since FROM upgrade_wait p
        JOIN upgrade u ON u.tenant = p.tenant AND u.id = p.upgrade AND u.state = 'running'
        WHERE p.since IS NOT NULL\
      """;

  private final StoreClock clock;
  private final UpgradeWaitRepository upgradeWaits;
  private final TenantEventRepository events;

  protected EscalationRepository(StoreClock clock, UpgradeWaitRepository upgradeWaits, TenantEventRepository events) {
    this.clock = clock;
    this.upgradeWaits = upgradeWaits;
    this.events = events;
  }

  /// Appends an event for each wait that lasts for longer than a webhook says, once per wait and webhook. Returns how
  /// many. Safe to repeat, and for any number of servers at once.
  public int escalate() {
    upgradeWaits.deleteEnded();
    deleteEnded();
    return (int) listDue(clock.now()).stream().filter(this::append).count();
  }

  private boolean append(OpenWait wait) {
    boolean isFirst = insertIfAbsent(wait.tenant(), wait.webhook(), wait.kind(), wait.subject(), wait.since()) > 0;
    if (isFirst) {
      switch (wait.subjectKind()) {
        case ROLLOUT ->
            events.appendWaitEscalated(new RolloutId(wait.tenant(), wait.subject()), wait.webhook(), wait.since());
        case UPGRADE -> events.appendUpgradeWaitEscalated(wait.tenant(), wait.subject(), wait.webhook(), wait.since());
        case BARRIER ->
            events.appendWaitEscalated(new BarrierId(wait.tenant(), wait.subject()), wait.webhook(), wait.since());
      }
    }
    return isFirst;
  }

  @Query(
      """
      SELECT w.tenant, w.name AS webhook, o.kind, o.subject, o.since
      FROM webhook w JOIN (\
      """
          + OPEN_WAITS
          + """
          ) o ON o.tenant = w.tenant
          WHERE w.enabled = TRUE AND w.escalate_after_seconds > 0
            AND o.since <= CAST(:now AS TIMESTAMP(3) WITH TIME ZONE) - w.escalate_after_seconds * INTERVAL '1' SECOND
            AND NOT EXISTS (SELECT 1 FROM webhook_escalation e WHERE e.tenant = w.tenant AND e.webhook = w.name
              AND e.kind = o.kind AND e.subject = o.subject AND e.since = o.since)
          ORDER BY w.tenant, w.name, o.since, o.kind, o.subject\
          """)
  abstract List<OpenWait> listDue(Instant now);

  @Query(
      """
      INSERT INTO webhook_escalation (tenant, webhook, kind, subject, since)
      VALUES (:tenant, :webhook, :kind, :subject, :since) ON CONFLICT DO NOTHING\
      """)
  abstract int insertIfAbsent(String tenant, String webhook, String kind, String subject, Instant since);

  @Query(
      "DELETE FROM webhook_escalation WHERE NOT EXISTS (SELECT 1 FROM ("
          + OPEN_WAITS
          + """
          ) o WHERE o.tenant = webhook_escalation.tenant AND o.kind = webhook_escalation.kind
            AND o.subject = webhook_escalation.subject AND o.since = webhook_escalation.since)\
          """)
  abstract int deleteEnded();
}
