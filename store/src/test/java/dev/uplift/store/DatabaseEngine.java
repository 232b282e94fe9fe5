package dev.uplift.store;

import dev.uplift.temporaldev.process.Reaper;

/// The two databases that everything must run on, for tests here and elsewhere. What it starts ends
/// with this JVM, also when that is killed.
public enum DatabaseEngine {
  /// In a file, as the server uses it by default.
  H2 {
    @Override
    public DatabaseSettings newDatabase() {
      return DatabaseSettings.h2File(
          Reaper.ofThisJvm().temporaryFolder("uplift-h2-").resolve("uplift"));
    }
  },
  /// A real server, started with the first database.
  POSTGRESQL {
    @Override
    public DatabaseSettings newDatabase() {
      return EmbeddedPostgresServer.newDatabase();
    }
  };

  /// An empty database that nobody else uses.
  public abstract DatabaseSettings newDatabase();
}
