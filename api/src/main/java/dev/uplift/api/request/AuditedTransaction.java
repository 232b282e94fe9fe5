package dev.uplift.api.request;

import dev.uplift.store.Database;
import dev.uplift.store.audit.AuditRepository;
import jakarta.inject.Singleton;
import java.util.function.Supplier;

/// Changes the tables. All changes of a request, its audit entry included, are committed together or not at all.
@Singleton
public final class AuditedTransaction {
  private final Database database;
  private final AuditRepository audit;

  AuditedTransaction(Database database, AuditRepository audit) {
    this.database = database;
    this.audit = audit;
  }

  /// Runs `work` in a transaction, which is rolled back if the request only validates or `work` throws.
  public <T> T run(RequestContext requestContext, Supplier<T> work) {
    return requestContext.isValidateOnly() ? database.inRolledBackTransaction(work) : database.inTransaction(work);
  }

  /// Adds an entry to the audit. To be called within [#run].
  ///
  /// @param detail JSON or a text; may be empty
  public void recordAudit(RequestContext requestContext, String action, String target, String detail) {
    audit.append(requestContext.auditEntry(action, target, detail));
  }
}
