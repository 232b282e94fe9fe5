package dev.uplift.store;

import dev.uplift.testservers.PostgresServer;
import dev.uplift.testservers.TestServers;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.atomic.AtomicInteger;

/// One PostgreSQL for all tests of this JVM, on a free port of the loopback interface.
final class EmbeddedPostgresServer {
  private static final AtomicInteger DATABASES = new AtomicInteger();

  private EmbeddedPostgresServer() {}

  private static final class Running {
    static final PostgresServer SERVER = TestServers.postgres();
  }

  static DatabaseSettings newDatabase() {
    PostgresServer server = Running.SERVER;
    String name = "uplift" + DATABASES.incrementAndGet();
    try (Connection connection = DriverManager.getConnection(server.url("postgres"), server.user(), "");
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE DATABASE " + name);
    } catch (SQLException e) {
      throw new IllegalStateException("cannot create the database " + name, e);
    }
    return new DatabaseSettings(server.url(name), server.user(), "");
  }
}
