package dev.uplift.store;

import java.util.function.Supplier;

/// The open database, at the newest version of the tables. Safe for use by many threads.
///
/// Every call on a class of this package is one transaction: when it returns, what it wrote stays,
/// whatever is killed. A call that finds the database away throws [DatabaseAway] within seconds and
/// may be repeated.
@SuppressWarnings("DoNotCallSuggester")
public final class Database implements AutoCloseable {
  private Database() {}

  /// Brings the tables to the newest version and keeps connections open. Several servers may do so
  /// at the same time on PostgreSQL; on H2 a second one is refused.
  public static Database open(DatabaseSettings settings) {
    throw new UnsupportedOperationException(settings.url());
  }

  /// Whether it answers; for readiness. Returns within seconds, never throws.
  public boolean answers() {
    return false;
  }

  /// All calls that `work` makes on this thread are one transaction: they hold together or not at
  /// all. May run more than once, when another transaction was in the way.
  public <T> T together(Supplier<T> work) {
    return work.get();
  }

  /// What `work` would return, and nothing of it is kept.
  public <T> T tryOut(Supplier<T> work) {
    return work.get();
  }

  @Override
  public void close() {}
}
