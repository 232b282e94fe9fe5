package dev.uplift.api.request;

import dev.uplift.store.Database;
import dev.uplift.store.audit.AuditRepository;
import jakarta.inject.Singleton;
import java.util.function.Supplier;

/// Changes of the tables. All that one request changes, its line in the audit included, is kept
/// together or not at all.
@Singleton
public final class AuditedTransaction {
  private final Database database;
  private final AuditRepository audit;

  AuditedTransaction(Database database, AuditRepository audit) {
    this.database = database;
    this.audit = audit;
  }

  /// What `work` returns. It is undone if the call only validates, or if `work` throws.
  public <T> T run(RequestContext requestContext, Supplier<T> work) {
    return requestContext.isValidateOnly()
        ? database.inRolledBackTransaction(work)
        : database.inTransaction(work);
  }

  /// Keeps who did what. Within [#run].
  ///
  /// @param detail JSON or a text; may be empty
  public void recordAudit(
      RequestContext requestContext, String action, String target, String detail) {
    audit.append(requestContext.auditEntry(action, target, detail));
  }
}
