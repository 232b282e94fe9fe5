package dev.uplift.store;

import dev.uplift.temporaldev.process.Reaper;
import dev.uplift.temporaldev.programs.ServerBinaries;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.atomic.AtomicInteger;

/// One PostgreSQL for all tests of this JVM, on a free port of this machine only.
final class EmbeddedPostgresServer {
  private static final String USER = "postgres";
  private static final AtomicInteger DATABASES = new AtomicInteger();

  private EmbeddedPostgresServer() {}

  private static final class Running {
    static final EmbeddedPostgres SERVER = start();
  }

  static DatabaseSettings newDatabase() {
    String name = "uplift" + DATABASES.incrementAndGet();
    try (Connection connection = Running.SERVER.getPostgresDatabase().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE DATABASE " + name);
    } catch (SQLException e) {
      throw new IllegalStateException("cannot create the database " + name, e);
    }
    return new DatabaseSettings(Running.SERVER.getJdbcUrl(USER, name), USER, "");
  }

  private static EmbeddedPostgres start() {
    try {
      Path binaries = Files.createDirectories(ServerBinaries.cacheFolder().resolve("postgresql"));
      Path data = Reaper.ofThisJvm().temporaryFolder("uplift-postgresql-").resolve("data");
      Reaper.ofThisJvm().shutDownPostgresAtExit(data);
      return EmbeddedPostgres.builder()
          .setOverrideWorkingDirectory(binaries.toFile())
          .setDataDirectory(data)
          // The folder is the reaper's to remove.
          .setCleanDataDirectory(false)
          .setServerConfig("synchronous_commit", "on")
          .start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
