package dev.uplift.store.webhook;

import dev.uplift.fleet.webhook.WebhookId;
import dev.uplift.store.ConcurrentModification;
import dev.uplift.store.Cursor;
import dev.uplift.store.LineCodec;
import dev.uplift.store.NoSuchTenant;
import dev.uplift.store.Page;
import dev.uplift.store.PageRequest;
import dev.uplift.store.RequiresTransaction;
import dev.uplift.store.StoreClock;
import dev.uplift.store.StoredText;
import dev.uplift.store.Transacted;
import io.micronaut.data.annotation.Query;
import io.micronaut.data.jdbc.annotation.JdbcRepository;
import io.micronaut.data.model.query.builder.sql.Dialect;
import io.micronaut.data.repository.GenericRepository;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// The table `webhook`.
@JdbcRepository(dialect = Dialect.POSTGRES)
@Transacted
public abstract class WebhookRepository implements GenericRepository<WebhookRow, String> {
  private static final String KEY = " WHERE tenant = :tenant AND name = :name";

  private final StoreClock clock;

  protected WebhookRepository(StoreClock clock) {
    this.clock = clock;
  }

  /// Creates a webhook, disabled. Where it begins is said when it is enabled.
  ///
  /// @param secret encrypted
  /// @throws NoSuchTenant if its tenant does not exist
  /// @throws ConcurrentModification if there is one of this name
  public WebhookRow create(WebhookSpec spec, String secret, String by) {
    int rows =
        insertIfAbsent(
            spec.id().tenant(),
            spec.id().name(),
            spec.url(),
            StoredText.sanitize(spec.description()),
            LineCodec.encode(spec.events()),
            spec.escalateAfterSeconds(),
            secret,
            by,
            clock.now());
    return written(spec.id(), rows);
  }

  /// Makes a webhook as `spec` says. Writes nothing if it is so already. To rely on what was there, [#lock] it in the
  /// same transaction.
  public WebhookRow change(WebhookSpec spec, String by) {
    WebhookId id = spec.id();
    Optional<WebhookRow> found = find(id);
    if (found.filter(row -> isSame(row, spec)).isPresent()) {
      return found.get();
    }
    int rows =
        update(
            id.tenant(),
            id.name(),
            spec.url(),
            StoredText.sanitize(spec.description()),
            LineCodec.encode(spec.events()),
            spec.escalateAfterSeconds(),
            by,
            clock.now());
    return written(id, rows);
  }

  private static boolean isSame(WebhookRow row, WebhookSpec spec) {
    return row.url().equals(spec.url())
        && row.description().equals(spec.description())
        && row.events().equals(spec.events())
        && row.escalateAfterSeconds() == spec.escalateAfterSeconds();
  }

  /// Enables a webhook. [WebhookDeliveryRepository#begin] says where it begins.
  public WebhookRow enable(WebhookId id, String by) {
    return written(id, enable(id.tenant(), id.name(), by, clock.now()));
  }

  /// Disables a webhook that is enabled. Returns whether it was.
  ///
  /// @param reason for people; may be empty
  public boolean disable(WebhookId id, String by, String reason) {
    return disable(id.tenant(), id.name(), by, StoredText.sanitize(reason), clock.now()) > 0;
  }

  /// Gives a webhook another secret. The one before signs as well until `previousUntil`.
  ///
  /// @param secret encrypted
  public WebhookRow rotateSecret(WebhookId id, String secret, Instant previousUntil, String by) {
    return written(id, rotateSecret(id.tenant(), id.name(), secret, previousUntil, by, clock.now()));
  }

  private WebhookRow written(WebhookId id, int rows) {
    if (rows == 0) {
      throw new ConcurrentModification("webhook " + id);
    }
    return find(id).orElseThrow();
  }

  /// Removes a webhook. Returns whether there was one.
  public boolean remove(WebhookId id) {
    return deleteRow(id.tenant(), id.name()) > 0;
  }

  public Optional<WebhookRow> find(WebhookId id) {
    return findByTenantAndName(id.tenant(), id.name());
  }

  /// Locks the row until the end of the transaction.
  ///
  /// @throws IllegalStateException outside of a transaction
  @RequiresTransaction
  public Optional<WebhookRow> lock(WebhookId id) {
    return lock(id.tenant(), id.name());
  }

  /// By name.
  public Page<WebhookRow> list(String tenant, PageRequest page) {
    String after = Cursor.of(page, 1).map(cursor -> cursor.part(0)).orElse("");
    return Cursor.toPage(listAfter(tenant, after, page.limit() + 1), page, row -> Cursor.encode(row.name()));
  }

  /// Counts those of a tenant.
  @Query("SELECT COUNT(*) FROM webhook WHERE tenant = :tenant")
  public abstract long count(String tenant);

  /// Returns the webhooks of all tenants.
  @Query("SELECT * FROM webhook ORDER BY tenant, name")
  public abstract List<WebhookRow> findAll();

  /// Replaces a secret, or the one before it, by the same one encrypted in another way. Does nothing if it is neither
  /// by now.
  @Query(
      """
      UPDATE webhook SET secret = CASE WHEN secret = :before THEN :encrypted ELSE secret END,
        previous_secret = CASE WHEN previous_secret = :before THEN :encrypted ELSE previous_secret END\
      """
          + KEY
          + " AND (secret = :before OR previous_secret = :before)")
  public abstract int replaceEncryption(String tenant, String name, String before, String encrypted);

  abstract Optional<WebhookRow> findByTenantAndName(String tenant, String name);

  @Query("SELECT * FROM webhook" + KEY + " FOR UPDATE")
  abstract Optional<WebhookRow> lock(String tenant, String name);

  @Query("SELECT * FROM webhook WHERE tenant = :tenant AND name > :after ORDER BY tenant, name LIMIT :limit")
  abstract List<WebhookRow> listAfter(String tenant, String after, int limit);

  @Query(
      """
      INSERT INTO webhook (tenant, name, url, description, events, escalate_after_seconds, enabled, secret,
        disabled_by, disabled_at, version, created_by, created_at, changed_by, changed_at)
      VALUES (:tenant, :name, :url, :description, :events, :escalateAfterSeconds, FALSE, :secret,
        :by, :now, 1, :by, :now, :by, :now)
      ON CONFLICT DO NOTHING\
      """)
  abstract int insertIfAbsent(
      String tenant,
      String name,
      String url,
      String description,
      String events,
      long escalateAfterSeconds,
      String secret,
      String by,
      Instant now);

  @Query(
      """
      UPDATE webhook SET url = :url, description = :description, events = :events,
        escalate_after_seconds = :escalateAfterSeconds, version = version + 1, changed_by = :by, changed_at = :now\
      """
          + KEY)
  abstract int update(
      String tenant,
      String name,
      String url,
      String description,
      String events,
      long escalateAfterSeconds,
      String by,
      Instant now);

  @Query(
      """
      UPDATE webhook SET enabled = TRUE, disabled_by = NULL, disabled_at = NULL, disabled_reason = NULL,
        version = version + 1, changed_by = :by, changed_at = :now\
      """
          + KEY)
  abstract int enable(String tenant, String name, String by, Instant now);

  @Query(
      """
      UPDATE webhook SET enabled = FALSE, disabled_by = :by, disabled_at = :now, disabled_reason = :reason,
        version = version + 1, changed_by = :by, changed_at = :now\
      """
          + KEY
          + " AND enabled = TRUE")
  abstract int disable(String tenant, String name, String by, String reason, Instant now);

  @Query(
      """
      UPDATE webhook SET previous_secret = secret, previous_secret_until = :previousUntil, secret = :secret,
        version = version + 1, changed_by = :by, changed_at = :now\
      """
          + KEY)
  abstract int rotateSecret(String tenant, String name, String secret, Instant previousUntil, String by, Instant now);

  @Query("DELETE FROM webhook" + KEY)
  abstract int deleteRow(String tenant, String name);
}
