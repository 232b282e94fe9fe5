package dev.uplift.store.webhook;

import dev.uplift.fleet.webhook.WebhookId;
import dev.uplift.store.StoreClock;
import dev.uplift.store.StoredText;
import dev.uplift.store.Transacted;
import io.micronaut.core.annotation.Introspected;
import io.micronaut.data.annotation.Query;
import io.micronaut.data.jdbc.annotation.JdbcRepository;
import io.micronaut.data.model.query.builder.sql.Dialect;
import io.micronaut.data.repository.GenericRepository;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// The table `webhook_delivery`: what the servers find out about a webhook. [WebhookRepository] has what people say.
///
/// A delivery is recorded only if the webhook still has the position before it: a server that was frozen while it
/// delivered cannot move it back.
@JdbcRepository(dialect = Dialect.POSTGRES)
@Transacted
public abstract class WebhookDeliveryRepository implements GenericRepository<WebhookDeliveryRow, String> {
  private static final String KEY = " WHERE tenant = :tenant AND webhook = :webhook";
  private static final String AT_POSITION = KEY + " AND position = :position";
  private static final int MAX_ERROR = 500;

  private final StoreClock clock;

  protected WebhookDeliveryRepository(StoreClock clock) {
    this.clock = clock;
  }

  /// An enabled webhook.
  ///
  /// @param position number of the last event that was sent or is not to be sent
  /// @param failures attempts since the last success
  @Introspected
  public record WebhookPosition(String tenant, String name, long position, int failures) {
    public WebhookId id() {
      return new WebhookId(tenant, name);
    }
  }

  /// Has the webhook begin after this event, without failures.
  public void begin(WebhookId id, long number) {
    if (restart(id.tenant(), id.name(), number) == 0) {
      insert(id.tenant(), id.name(), number);
    }
  }

  /// Empty if there is no such webhook, or it was never enabled.
  public Optional<WebhookDeliveryRow> find(WebhookId id) {
    return findByTenantAndWebhook(id.tenant(), id.name());
  }

  /// Records that the receiver has accepted an event. Returns false, and records nothing, if the webhook is elsewhere.
  public boolean recordDelivered(WebhookId id, long position, long number) {
    return updateDelivered(id.tenant(), id.name(), position, number, clock.now()) > 0;
  }

  /// Records that the events up to this one are not to be sent. Returns false, and records nothing, if the webhook is
  /// elsewhere.
  public boolean skipTo(WebhookId id, long position, long number) {
    return updatePosition(id.tenant(), id.name(), position, number) > 0;
  }

  /// Records that the event after the position was not accepted.
  public void recordFailure(WebhookId id, long position, String error) {
    String text = StoredText.sanitize(error);
    updateFailure(id.tenant(), id.name(), position, text.substring(0, Math.min(text.length(), MAX_ERROR)), clock.now());
  }

  /// Forgets what failed: the receiver is another one.
  public void forgetFailures(WebhookId id) {
    deleteFailures(id.tenant(), id.name());
  }

  /// The enabled webhooks of all tenants, by tenant and name.
  @Query(
      """
      SELECT w.tenant, w.name, d.position, d.failures FROM webhook w
        JOIN webhook_delivery d ON d.tenant = w.tenant AND d.webhook = w.name
      WHERE w.enabled = TRUE ORDER BY w.tenant, w.name\
      """)
  public abstract List<WebhookPosition> listEnabled();

  abstract Optional<WebhookDeliveryRow> findByTenantAndWebhook(String tenant, String webhook);

  @Query("INSERT INTO webhook_delivery (tenant, webhook, position) VALUES (:tenant, :webhook, :number)")
  abstract int insert(String tenant, String webhook, long number);

  @Query("UPDATE webhook_delivery SET position = :number, failures = 0, failing_since = NULL" + KEY)
  abstract int restart(String tenant, String webhook, long number);

  @Query("UPDATE webhook_delivery SET failures = 0, failing_since = NULL" + KEY)
  abstract int deleteFailures(String tenant, String webhook);

  @Query(
      """
      UPDATE webhook_delivery SET position = :number, delivered_number = :number, delivered_at = :now, failures = 0,
        failing_since = NULL\
      """
          + AT_POSITION)
  abstract int updateDelivered(String tenant, String webhook, long position, long number, Instant now);

  @Query("UPDATE webhook_delivery SET position = :number" + AT_POSITION)
  abstract int updatePosition(String tenant, String webhook, long position, long number);

  @Query(
      """
      UPDATE webhook_delivery SET failures = failures + 1, failing_since = COALESCE(failing_since, CAST(:now AS TIMESTAMP(3) WITH TIME ZONE)),
        last_error = :error, last_error_at = :now\
      """
          + AT_POSITION)
  abstract int updateFailure(String tenant, String webhook, long position, String error, Instant now);
}
