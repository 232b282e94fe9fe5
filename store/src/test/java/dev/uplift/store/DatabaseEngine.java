package dev.uplift.store;

import dev.uplift.temporaldev.process.Reaper;

/// The two supported databases, for tests here and elsewhere. Started servers end with this JVM, even if it is killed.
public enum DatabaseEngine {
  /// In a file, like the server's default.
  H2 {
    @Override
    public DatabaseSettings newDatabase() {
      return DatabaseSettings.h2File(Reaper.ofThisJvm().temporaryFolder("uplift-h2-").resolve("uplift"));
    }
  },
  /// A real server, started for the first database.
  POSTGRESQL {
    @Override
    public DatabaseSettings newDatabase() {
      return EmbeddedPostgresServer.newDatabase();
    }
  };

  /// Creates an empty database for one test.
  public abstract DatabaseSettings newDatabase();
}
