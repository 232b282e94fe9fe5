package dev.uplift.services.tenant;

import dev.uplift.protocol.Subjects;
import dev.uplift.services.messaging.HostMessages;
import dev.uplift.services.messaging.NatsUnavailable;
import dev.uplift.store.Database;
import dev.uplift.store.DatabaseUnavailable;
import dev.uplift.store.audit.AuditEntry;
import dev.uplift.store.audit.AuditRepository;
import dev.uplift.store.enrolment.EnrolmentRepository;
import dev.uplift.store.tenant.TenantRemovalRepository;
import dev.uplift.store.tenant.TenantRepository;
import dev.uplift.store.tenant.TenantRow;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Objects;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Removes what belongs to deleted tenants from the streams and the tables, in batches, each a transaction of its own.
/// A run that is killed is continued by the next one, on any server.
@Singleton
public final class TenantRemover {
  private static final Logger LOG = LoggerFactory.getLogger(TenantRemover.class);
  private static final int ROWS_PER_BATCH = 1_000;
  private static final String ACTOR = "server";

  /// Longer than any request that began before the tenant was deleted.
  static final Duration GRACE = Duration.ofMinutes(2);

  private final Database database;
  private final TenantRepository tenants;
  private final TenantRemovalRepository removal;
  private final EnrolmentRepository enrolments;
  private final AuditRepository audit;
  private final HostMessages messages;
  private final InstantSource clock;

  TenantRemover(
      Database database,
      TenantRepository tenants,
      TenantRemovalRepository removal,
      EnrolmentRepository enrolments,
      AuditRepository audit,
      HostMessages messages,
      InstantSource clock) {
    this.database = database;
    this.tenants = tenants;
    this.removal = removal;
    this.enrolments = enrolments;
    this.audit = audit;
    this.messages = messages;
    this.clock = clock;
  }

  /// Removes what can be removed now, or a part of it if the thread is interrupted. What is unavailable, and what an
  /// upgrade that has not ended still needs, is left to the next run.
  public void run() {
    try {
      tenants.listDeleted().stream().filter(tenant -> tenant.removedAt() == null).forEach(this::remove);
    } catch (DatabaseUnavailable | NatsUnavailable e) {
      LOG.warn("deleted tenants are removed later: {}", e.getMessage());
    }
  }

  private void remove(TenantRow tenant) {
    String name = tenant.name();
    enrolments.revokeAll(name, ACTOR);
    removal.deletePolicies(name);
    removal.deleteWebhooks(name);
    if (isInUse(name)) {
      return;
    }
    messages.purge(Subjects.hostAddress(name, "*"));
    deleteRows(name);
    // A request that began before may still add rows.
    Instant settled = Objects.requireNonNull(tenant.deletedAt()).plus(GRACE);
    boolean isComplete =
        !Thread.currentThread().isInterrupted() && enrolments.deleteKeys(name) && clock.instant().isAfter(settled);
    if (isComplete) {
      complete(name);
    }
  }

  /// An upgrade, a rollout or a barrier may have begun at the moment at which the tenant was deleted.
  private boolean isInUse(String tenant) {
    Optional<String> user =
        removal
            .findOpenRollout(tenant)
            .or(() -> removal.findRunningUpgrade(tenant))
            .or(() -> removal.findOpenBarrier(tenant));
    user.ifPresent(id -> LOG.warn("the deleted tenant {} is removed once {} has ended", tenant, id));
    return user.isPresent();
  }

  private void deleteRows(String tenant) {
    int deleted;
    do {
      deleted = removal.deleteBatch(tenant, ROWS_PER_BATCH);
    } while (deleted > 0 && !Thread.currentThread().isInterrupted());
  }

  private void complete(String tenant) {
    boolean isFirst =
        database.inTransaction(() -> {
          boolean recorded = tenants.recordRemoval(tenant);
          if (recorded) {
            audit.append(new AuditEntry(tenant, ACTOR, "tenant.removed", "tenant/" + tenant, "", ""));
          }
          return recorded;
        });
    if (isFirst) {
      LOG.info("nothing but its audit is left of the deleted tenant {}", tenant);
    }
  }
}
