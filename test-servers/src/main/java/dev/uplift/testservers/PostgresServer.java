package dev.uplift.testservers;

import static org.awaitility.Awaitility.await;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/// A PostgreSQL that can be killed and started again, on the same port with the same data. It trusts every user of this
/// machine, except roles of [#createRoleWithPassword].
public interface PostgresServer extends AutoCloseable {
  default String user() {
    return "postgres";
  }

  /// The address of a database; the one named as the user is always there.
  String url(String database);

  /// As `kill -9` of all its processes does.
  void kill();

  void start();

  /// Creates a role that has to log in with a password, and a database of the same name that belongs to it.
  default void createRoleWithPassword(String role, String password) {
    execute(statement -> {
      statement.execute("CREATE ROLE %s LOGIN PASSWORD '%s'".formatted(role, password));
      statement.execute("CREATE DATABASE %s OWNER %s".formatted(role, role));
      // The first line that matches a login counts.
      String rules = "host all %s all scram-sha-256\n".formatted(role) + rules(statement);
      statement.execute(
          "COPY (SELECT string_to_table('%s', E'\\n')) TO '%s'"
              .formatted(rules, text(statement, "SELECT current_setting('hba_file')")));
      statement.execute("SELECT pg_reload_conf()");
    });
    await("a login without the password is refused").until(() -> !accepts(role, "wrong"));
  }

  /// Changes the password of a role whose connections stay.
  default void changePassword(String role, String password) {
    execute(statement -> statement.execute("ALTER ROLE %s PASSWORD '%s'".formatted(role, password)));
  }

  /// Ends all connections of a role.
  default void disconnect(String role) {
    execute(statement ->
        statement.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = '%s'".formatted(role)));
  }

  private boolean accepts(String role, String password) {
    try (Connection _ = DriverManager.getConnection(url(role), role, password)) {
      return true;
    } catch (SQLException _) {
      return false;
    }
  }

  /// Returns the rules of logins, without comments.
  private static String rules(Statement statement) throws SQLException {
    return text(statement, "SELECT pg_read_file(current_setting('hba_file'))")
        .lines()
        .filter(Predicate.not(line -> line.isBlank() || line.startsWith("#")))
        .map(line -> line.replaceAll("\\s+", " "))
        .collect(Collectors.joining("\n"));
  }

  private static String text(Statement statement, String query) throws SQLException {
    try (ResultSet rows = statement.executeQuery(query)) {
      rows.next();
      return rows.getString(1);
    }
  }

  /// Statements of the user that may do everything.
  @FunctionalInterface
  interface Statements {
    void execute(Statement statement) throws SQLException;
  }

  private void execute(Statements statements) {
    try (Connection connection = DriverManager.getConnection(url("postgres"), user(), "");
        Statement statement = connection.createStatement()) {
      statements.execute(statement);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  void close();
}
