package dev.uplift.store;

import java.nio.file.Path;
import java.util.UUID;
import java.util.regex.Pattern;

/// Where the tables are.
///
/// @param url JDBC address of an H2 or a PostgreSQL database; what H2 needs beyond it is added
/// @param connections kept open, at least 1
public record DatabaseSettings(String url, String user, String password, int connections, DatabaseTimeouts timeouts) {
  private static final int DEFAULT_CONNECTIONS = 10;

  /// As a parameter of H2 or of PostgreSQL, which has passwords of keys as well.
  private static final Pattern PASSWORD_IN_URL = Pattern.compile("(?i)(?<=password=)[^&;]*");

  public DatabaseSettings {
    if (!url.startsWith("jdbc:h2:") && !url.startsWith("jdbc:postgresql:")) {
      throw new IllegalArgumentException("the database must be jdbc:h2:… or jdbc:postgresql:…, found " + url);
    }
    if (connections < 1) {
      throw new IllegalArgumentException("needs at least one connection, found " + connections);
    }
  }

  public DatabaseSettings(String url, String user, String password, int connections) {
    this(url, user, password, connections, DatabaseTimeouts.DEFAULTS);
  }

  public DatabaseSettings(String url, String user, String password) {
    this(url, user, password, DEFAULT_CONNECTIONS);
  }

  /// H2 in a file, for one server.
  ///
  /// @param file without an ending; H2 adds `.mv.db`
  public static DatabaseSettings h2File(Path file) {
    return new DatabaseSettings("jdbc:h2:file:" + file.toAbsolutePath(), "uplift", "");
  }

  /// H2 in memory, gone when it is closed; for tests of those who use the tables.
  public static DatabaseSettings h2InMemory() {
    return new DatabaseSettings("jdbc:h2:mem:" + UUID.randomUUID(), "uplift", "");
  }

  /// Returns whether several servers may use it at once.
  public boolean isShared() {
    return url.startsWith("jdbc:postgresql:");
  }

  /// Without the password.
  @Override
  public String toString() {
    return PASSWORD_IN_URL.matcher(url).replaceAll("…") + " as " + user;
  }
}
