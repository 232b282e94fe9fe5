package dev.uplift.store;

import java.time.Duration;

/// How long the database waits for one of its clients, and for its own work. For PostgreSQL, which ends what takes
/// longer; H2 is in the same process and needs `lock` only.
///
/// @param connection until a connection is there
/// @param lock until a lock that another transaction holds is free; then the transaction is tried again
/// @param statement until a statement is done
/// @param idleInTransaction between two statements of a transaction. The locks of a server that has vanished with its
///   machine are released after it
public record DatabaseTimeouts(Duration connection, Duration lock, Duration statement, Duration idleInTransaction) {
  public static final DatabaseTimeouts DEFAULTS =
      new DatabaseTimeouts(
          Duration.ofSeconds(5), Duration.ofSeconds(10), Duration.ofSeconds(25), Duration.ofSeconds(5));

  /// How many times and how far apart the database asks the machine of a client whether it is still there, in seconds.
  private static final String KEEPALIVES =
      " -c tcp_keepalives_idle=10 -c tcp_keepalives_interval=5 -c tcp_keepalives_count=3 -c tcp_user_timeout=25000";

  public DatabaseTimeouts {
    requirePositive("connection", connection);
    requirePositive("lock", lock);
    requirePositive("statement", statement);
    requirePositive("idleInTransaction", idleInTransaction);
  }

  private static void requirePositive(String name, Duration time) {
    if (!time.isPositive()) {
      throw new IllegalArgumentException(name + ": expected a positive duration, found " + time);
    }
  }

  /// The parameters of a session of PostgreSQL.
  String sessionOptions() {
    return "-c lock_timeout=%d -c statement_timeout=%d -c idle_in_transaction_session_timeout=%d"
            .formatted(lock.toMillis(), statement.toMillis(), idleInTransaction.toMillis())
        + KEEPALIVES;
  }

  /// How long to wait for an answer: longer than the database itself needs to end the statement.
  Duration answer() {
    return statement.plus(connection);
  }
}
