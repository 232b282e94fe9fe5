package dev.uplift.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Changes of the tables do not stop servers that run meanwhile.
final class MigrationTest extends DatabaseScenario {
  private static final Path FOLDER = Path.of("src/main/resources/dev/uplift/store/migration");

  /// A large table would be locked until the index is built.
  private static final Pattern LOCKING_INDEX =
      Pattern.compile("CREATE\\s+(UNIQUE\\s+)?INDEX\\s+(?!\\$\\{concurrently\\})", Pattern.CASE_INSENSITIVE);

  private static final String INSERT =
      "INSERT INTO audit (tenant, occurred_at, actor, action, target, origin, detail)"
          + " VALUES ('acme', CURRENT_TIMESTAMP, 'ann', 'a', 't', '', '')";

  @Test
  void afterTheFirstVersionIndexesAreBuiltConcurrently() throws IOException {
    try (Stream<Path> files = Files.list(FOLDER)) {
      List<Path> later = files.filter(file -> !file.getFileName().toString().startsWith("V1__")).toList();
      assertThat(later).noneMatch(file -> locksATable(read(file)));
    }
    assertThat(locksATable("create unique  index x ON command (tenant);")).isTrue();
    assertThat(locksATable("CREATE INDEX CONCURRENTLY x ON command (tenant);")).as("H2 does not know it").isTrue();
    assertThat(locksATable("CREATE INDEX ${concurrently} x ON command (tenant);")).isFalse();
  }

  private static boolean locksATable(String migration) {
    return LOCKING_INDEX.matcher(migration).find();
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void othersWriteWhileAnIndexIsBuilt() throws Exception {
    DatabaseSettings fresh = engine.newDatabase();
    try (Database open = Database.open(fresh);
        ExecutorService threads = Executors.newFixedThreadPool(1);
        Connection early = connect(fresh);
        Connection late = connect(fresh)) {
      assertThat(open.isAvailable()).isTrue();
      execute(early, "INSERT INTO tenant (name, title, created_at) VALUES ('acme', '', CURRENT_TIMESTAMP)");
      early.setAutoCommit(false);
      execute(early, INSERT);
      Future<?> building =
          threads.submit(
              () -> Database.migrate(fresh, Database.MIGRATIONS, "classpath:dev/uplift/store/latermigration"));
      if (engine == DatabaseEngine.POSTGRESQL) {
        await().atMost(Duration.ofSeconds(60)).until(() -> isBuilding(late));
        execute(late, "SET lock_timeout = 5000");
        execute(late, INSERT);
        assertThat(building.isDone()).isFalse();
      }
      early.commit();
      building.get(60, TimeUnit.SECONDS);
      execute(late, "DROP INDEX audit_by_actor");
    }
  }

  /// Returns whether the index waits for the transaction that has begun before it.
  private static boolean isBuilding(Connection connection) throws SQLException {
    String sql =
        "SELECT COUNT(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
            + " AND query LIKE '%audit_by_actor%' AND wait_event_type = 'Lock'";
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      return rows.next() && rows.getLong(1) > 0;
    }
  }

  private static Connection connect(DatabaseSettings settings) throws SQLException {
    return DriverManager.getConnection(ConnectionPools.url(settings), settings.user(), settings.password());
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
