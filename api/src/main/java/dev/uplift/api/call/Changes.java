package dev.uplift.api.call;

import dev.uplift.store.Audit;
import dev.uplift.store.Database;
import jakarta.inject.Singleton;
import java.util.function.Supplier;

/// Changes of the tables. All that one request changes, its line in the audit included, is kept
/// together or not at all.
@Singleton
public final class Changes {
  private final Database database;
  private final Audit audit;

  Changes(Database database, Audit audit) {
    this.database = database;
    this.audit = audit;
  }

  /// What `work` returns. It is undone if the call only validates, or if `work` throws.
  public <T> T make(Call call, Supplier<T> work) {
    return call.validates() ? database.tryOut(work) : database.together(work);
  }

  /// Keeps who did what. Within [#make].
  ///
  /// @param detail JSON or a text; may be empty
  public void note(Call call, String action, String target, String detail) {
    audit.append(call.did(action, target, detail));
  }
}
