package dev.uplift.store;

import java.time.InstantSource;
import java.util.Optional;

/// The table `audit`: who did what, when, to what, from where. Only ever grows. Append together
/// with what was done: [Database#together].
@SuppressWarnings("DoNotCallSuggester")
public final class Audit {
  public Audit(Database database, InstantSource clock) {}

  /// What somebody did is kept, with the time.
  ///
  /// @throws NoSuchTenant if there is none for it
  public void append(AuditEntry entry) {
    throw new UnsupportedOperationException();
  }

  /// Newest first.
  ///
  /// @param target what it was done to; empty for all
  public Page<AuditRow> list(String tenant, Optional<String> target, PageRequest page) {
    throw new UnsupportedOperationException();
  }
}
