package dev.uplift.testservers;

import static org.awaitility.Awaitility.await;

import dev.uplift.temporaldev.process.Reaper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;

/// PostgreSQL in a container, with its data in a folder of ours, so that the next one finds them.
final class PostgresContainer implements PostgresServer {
  private static final Duration STARTS_WITHIN = Duration.ofMinutes(1);

  private final int port;
  private final Path data;
  private Process server;

  PostgresContainer(int port) {
    this.port = port;
    Path folder = Reaper.ofThisJvm().temporaryFolder("uplift-postgresql-");
    try {
      // The image has a user of its own, if we are root.
      Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx--x--x"));
      this.data = Files.createDirectory(folder.resolve("data"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    this.server = started();
  }

  @Override
  public String url(String database) {
    return "jdbc:postgresql://127.0.0.1:%d/%s".formatted(port, database);
  }

  @Override
  public void kill() {
    try {
      server.destroyForcibly().waitFor();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while PostgreSQL was killed", e);
    }
  }

  @Override
  public void start() {
    server = started();
  }

  private Process started() {
    Path log = data.resolveSibling("log");
    var builder =
        new ProcessBuilder(
                "postgres",
                "--listen_addresses=127.0.0.1",
                "--port=" + port,
                // As the processes have it.
                "--max_connections=300",
                "--timezone=GMT")
            .directory(data.toFile())
            .redirectOutput(log.toFile());
    builder.environment().put("PGDATA", data.toString());
    builder.environment().put("POSTGRES_HOST_AUTH_METHOD", "trust");
    builder.environment().put("POSTGRES_INITDB_ARGS", "--locale=C.UTF-8");
    try {
      Process started = Reaper.ofThisJvm().start(builder, "postgresql", ServerContainer::start);
      await("PostgreSQL").atMost(STARTS_WITHIN).until(() -> answers() || !started.isAlive());
      if (!started.isAlive()) {
        throw new IllegalStateException("PostgreSQL has ended:\n" + Files.readString(log));
      }
      return started;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private boolean answers() {
    try (var connection = DriverManager.getConnection(url("postgres"), user(), "")) {
      return connection.isValid(1);
    } catch (SQLException _) {
      return false;
    }
  }

  @Override
  public void close() {
    kill();
  }
}
