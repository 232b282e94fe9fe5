package dev.uplift.activities;

import dev.uplift.store.DatabaseSettings;
import java.nio.file.Path;
import java.sql.SQLException;
import org.h2.tools.Server;

/// A database that can be stopped and started, and that other processes can use.
public final class RestartableDatabase implements AutoCloseable {
  private final Path folder;
  private Server server;

  public RestartableDatabase(Path folder) throws SQLException {
    this.folder = folder;
    this.server = start("0");
  }

  private Server start(String port) throws SQLException {
    return Server.createTcpServer("-tcpPort", port, "-ifNotExists", "-baseDir", folder.toAbsolutePath().toString())
        .start();
  }

  public DatabaseSettings settings() {
    return new DatabaseSettings("jdbc:h2:tcp://127.0.0.1:" + server.getPort() + "/./uplift", "uplift", "");
  }

  public void stop() {
    server.stop();
  }

  public void restart() throws SQLException {
    server = start(String.valueOf(server.getPort()));
  }

  @Override
  public void close() {
    server.stop();
  }
}
