package dev.uplift.store;

import io.micronaut.data.connection.exceptions.ConnectionException;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLTransientConnectionException;
import java.util.Set;

/// Maps exceptions of the database to what they mean to the caller.
final class DatabaseErrors {
  /// Serialization failure, deadlock, lock time-out; the last three are H2's.
  private static final Set<String> CONFLICT_STATES = Set.of("40001", "40P01", "55P03", "HYT00", "90131");

  /// A missing referenced row, in PostgreSQL and in H2.
  private static final Set<String> FOREIGN_KEY_STATES = Set.of("23503", "23506");

  private static final String H2_LOCKED_STATE = "90020";

  /// H2: broken, closed, closing, in use by another process, i/o error.
  private static final Set<String> H2_UNAVAILABLE_STATES =
      Set.of("90067", "90098", "90121", H2_LOCKED_STATE, "90028", "90031", "HY000");

  /// PostgreSQL: connection, out of resources, cannot connect now, i/o error, and read-only, as a server is that is no
  /// longer the primary.
  private static final Set<String> UNAVAILABLE_CLASSES = Set.of("08", "53", "57", "58", "25");

  private DatabaseErrors() {}

  static boolean isConflict(RuntimeException failure) {
    return failure instanceof ConcurrentModification || CONFLICT_STATES.contains(sqlState(failure));
  }

  static RuntimeException translate(RuntimeException failure) {
    String state = sqlState(failure);
    if (FOREIGN_KEY_STATES.contains(state)) {
      return new NoSuchTenant(failure);
    }
    if (isUnavailable(failure, state)) {
      return new DatabaseUnavailable("the database does not answer: " + rootMessage(failure), failure);
    }
    return failure;
  }

  /// Returns whether a connection in this state never recovers.
  static boolean isH2Unavailable(String state) {
    return H2_UNAVAILABLE_STATES.contains(state);
  }

  static DatabaseUnavailable openFailed(DatabaseSettings settings, RuntimeException failure) {
    String why =
        sqlState(failure).equals(H2_LOCKED_STATE)
            ? "another process has it open, and two servers at once need PostgreSQL"
            : rootMessage(failure);
    return new DatabaseUnavailable("cannot open the database " + settings + ": " + why, failure);
  }

  static DatabaseUnavailable migrationFailed(DatabaseSettings settings, RuntimeException failure) {
    return new DatabaseUnavailable(
        "cannot bring the tables of " + settings + " to this version: " + rootMessage(failure), failure);
  }

  private static boolean isUnavailable(RuntimeException failure, String state) {
    return isH2Unavailable(state)
        || isWithoutConnection(failure)
        || (state.length() == 5 && UNAVAILABLE_CLASSES.contains(state.substring(0, 2)));
  }

  /// Returns whether no connection was to be had. The pool says so without a state, in an exception that the
  /// transaction manager wraps.
  private static boolean isWithoutConnection(Throwable failure) {
    for (Throwable at = failure; at != null; at = at.getCause()) {
      if (at instanceof ConnectionException
          || at instanceof SQLTransientConnectionException
          || at instanceof SQLNonTransientConnectionException) {
        return true;
      }
    }
    return false;
  }

  /// The state of the innermost exception that has one; empty if none has.
  private static String sqlState(Throwable failure) {
    String state = "";
    for (Throwable at = failure; at != null; at = at.getCause()) {
      if (at instanceof SQLException sql && sql.getSQLState() != null) {
        state = sql.getSQLState();
      }
    }
    return state;
  }

  private static String rootMessage(Throwable failure) {
    Throwable at = failure;
    while (at.getCause() != null) {
      at = at.getCause();
    }
    return String.valueOf(at.getMessage());
  }
}
