package dev.uplift.store;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.function.Function;
import java.util.function.Supplier;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.JdbiException;

/// The open database, at the newest version of the tables. Safe for use by many threads, and by
/// threads that are interrupted.
///
/// Every call on a class of this package is one transaction: when it returns, what it wrote stays,
/// whatever is killed. A call that finds the database away throws [DatabaseUnavailable] within seconds and
/// may be repeated.
public final class Database implements AutoCloseable {
  /// How often a transaction is tried that others are in the way of. Each try has waited its turn.
  private static final int MAX_ATTEMPTS = 10;

  private final HikariDataSource pool;
  private final Jdbi jdbi;
  private final ScopedValue<Handle> currentHandle = ScopedValue.newInstance();

  private Database(HikariDataSource pool) {
    this.pool = pool;
    this.jdbi = Jdbi.create(pool);
    jdbi.registerArgument(new TextArgumentFactory());
    jdbi.registerArgument(new InstantArgumentFactory());
  }

  /// Brings the tables to the newest version and keeps connections open. Several servers may do so
  /// at the same time on PostgreSQL; on H2 a second one is refused.
  ///
  /// @throws DatabaseUnavailable if it cannot be reached, or another process has the file
  public static Database open(DatabaseSettings settings) {
    HikariDataSource pool;
    try {
      pool = ConnectionPools.open(settings);
    } catch (RuntimeException e) {
      throw DatabaseErrors.openFailed(settings, e);
    }
    try {
      migrate(settings);
      return new Database(pool);
    } catch (FlywayException e) {
      pool.close();
      throw DatabaseErrors.migrationFailed(settings, e);
    }
  }

  /// On a connection of its own, where a long migration meets no time-out.
  private static void migrate(DatabaseSettings settings) {
    Flyway.configure(Database.class.getClassLoader())
        .dataSource(ConnectionPools.url(settings), settings.user(), settings.password())
        .locations("classpath:dev/uplift/store/migration")
        .load()
        .migrate();
  }

  /// Whether it answers; for readiness. Returns within seconds, never throws.
  public boolean isAvailable() {
    try (Connection connection = pool.getConnection()) {
      return connection.isValid(1);
    } catch (SQLException _) {
      return false;
    }
  }

  /// All calls that `work` makes on this thread are one transaction: they hold together or not at
  /// all. May run more than once, when another transaction was in the way.
  public <T> T inTransaction(Supplier<T> work) {
    return withHandle(_ -> work.get());
  }

  /// What `work` would return, and nothing of it is kept. Not to be used within [#inTransaction].
  public <T> T inRolledBackTransaction(Supplier<T> work) {
    if (currentHandle.isBound()) {
      throw new IllegalStateException("within a transaction, whose work would be lost");
    }
    return retryOnConflict(() ->
        jdbi.withHandle(handle -> {
          handle.begin();
          try {
            return ScopedValue.where(currentHandle, handle).call(work::get);
          } finally {
            handle.rollback();
          }
        }));
  }

  /// One transaction, or a part of the one that this thread is in.
  public <T> T withHandle(Function<Handle, T> work) {
    if (currentHandle.isBound()) {
      return work.apply(currentHandle.get());
    }
    return retryOnConflict(() ->
        jdbi.inTransaction(
            handle -> ScopedValue.where(currentHandle, handle).call(() -> work.apply(handle))));
  }

  /// The same, for what is of use only as a part of a larger transaction.
  public <T> T withHandleInTransaction(Function<Handle, T> work) {
    if (!currentHandle.isBound()) {
      throw new IllegalStateException("outside of a transaction, at whose end the lock is lost");
    }
    return work.apply(currentHandle.get());
  }

  private static <T> T retryOnConflict(Supplier<T> transaction) {
    for (int tries = 1; ; tries++) {
      try {
        return transaction.get();
      } catch (JdbiException | ConcurrentModification e) {
        if (tries == MAX_ATTEMPTS || !DatabaseErrors.isConflict(e)) {
          throw DatabaseErrors.translate(e);
        }
      }
    }
  }

  @Override
  public void close() {
    pool.close();
  }
}
