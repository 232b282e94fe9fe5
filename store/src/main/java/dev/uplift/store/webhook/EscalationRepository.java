package dev.uplift.store.webhook;

import dev.uplift.store.StoreClock;
import dev.uplift.store.Transacted;
import dev.uplift.store.event.TenantEventRepository;
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
  private final StoreClock clock;
  private final TenantEventRepository events;

  protected EscalationRepository(StoreClock clock, TenantEventRepository events) {
    this.clock = clock;
    this.events = events;
  }

  /// Appends an event for each wait that lasts for longer than a webhook says, once per wait and webhook. Returns how
  /// many. Safe to repeat, and for any number of servers at once.
  public int escalate() {
    deleteEnded();
    List<OpenWait> due = listNotEscalated().stream().filter(wait -> wait.isDue(clock.now())).toList();
    return (int) due.stream().filter(this::append).count();
  }

  private boolean append(OpenWait wait) {
    boolean isFirst = insertIfAbsent(wait.tenant(), wait.webhook(), wait.rollout(), wait.since()) > 0;
    if (isFirst) {
      events.appendWaitEscalated(wait.rolloutId(), wait.webhook(), wait.since());
    }
    return isFirst;
  }

  @Query(
      """
      SELECT w.tenant, w.name AS webhook, w.escalate_after_seconds, r.id AS rollout, r.wait_since AS since
      FROM webhook w JOIN rollout r ON r.tenant = w.tenant AND r.state IN ('waiting-approval', 'paused')
      WHERE w.enabled = TRUE AND w.escalate_after_seconds > 0 AND r.wait_since IS NOT NULL
        AND NOT EXISTS (SELECT 1 FROM webhook_escalation e WHERE e.tenant = w.tenant AND e.webhook = w.name
          AND e.rollout = r.id AND e.since = r.wait_since)
      ORDER BY w.tenant, w.name, r.wait_since, r.id\
      """)
  abstract List<OpenWait> listNotEscalated();

  @Query(
      """
      INSERT INTO webhook_escalation (tenant, webhook, rollout, since)
      VALUES (:tenant, :webhook, :rollout, :since) ON CONFLICT DO NOTHING\
      """)
  abstract int insertIfAbsent(String tenant, String webhook, String rollout, Instant since);

  @Query(
      """
      DELETE FROM webhook_escalation WHERE NOT EXISTS (SELECT 1 FROM rollout r
        WHERE r.tenant = webhook_escalation.tenant AND r.id = webhook_escalation.rollout
          AND r.wait_since = webhook_escalation.since)\
      """)
  abstract int deleteEnded();
}
