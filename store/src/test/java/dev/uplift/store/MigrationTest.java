package dev.uplift.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.uplift.fleet.DeviceId;
import dev.uplift.store.audit.AuditEntry;
import dev.uplift.store.audit.AuditRepository;
import dev.uplift.store.audit.AuditRow;
import dev.uplift.store.device.DeviceRepository;
import dev.uplift.store.device.DeviceSpec;
import dev.uplift.store.device.Precondition;
import dev.uplift.store.tenant.TenantRepository;
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
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Changes of the tables do not stop servers that run meanwhile.
final class MigrationTest extends DatabaseScenario {
  private static final Path FOLDER = Path.of("src/main/resources/dev/uplift/store/migration");

  /// A large table would be locked until the index is built.
  private static final Pattern LOCKING_INDEX =
      Pattern.compile("CREATE\\s+(UNIQUE\\s+)?INDEX\\s+(?!\\$\\{concurrently\\})", Pattern.CASE_INSENSITIVE);

  private static final Path DECISIONS = Path.of("../docs/decisions");
  private static final Pattern COMMENT = Pattern.compile("--[^\n]*");

  private static final Pattern TAKES_AWAY =
      Pattern.compile(
          "\\b(DROP|RENAME|SET\\s+NOT\\s+NULL|ALTER\\s+(COLUMN\\s+)?\\w+\\s+(SET\\s+DATA\\s+)?TYPE)\\b",
          Pattern.CASE_INSENSITIVE);

  /// A column without default that an older server does not fill.
  private static final Pattern REQUIRES_A_VALUE =
      Pattern.compile(
          "\\bADD\\s+(?!CONSTRAINT\\b)((?!\\bDEFAULT\\b)[^,;])*\\bNOT\\s+NULL\\b((?!\\bDEFAULT\\b)[^,;])*+(?=[,;]|$)",
          Pattern.CASE_INSENSITIVE);

  private static final String INSERT =
      "INSERT INTO audit (tenant, occurred_at, actor, action, target, origin, detail)"
          + " VALUES ('acme', CURRENT_TIMESTAMP, 'ann', 'a', 't', '', '')";

  @Test
  void afterTheFirstVersionIndexesAreBuiltConcurrently() {
    assertThat(laterMigrations()).noneMatch(file -> locksATable(read(file)));
    assertThat(locksATable("create unique  index x ON command (tenant);")).isTrue();
    assertThat(locksATable("CREATE INDEX CONCURRENTLY x ON command (tenant);")).as("H2 does not know it").isTrue();
    assertThat(locksATable("CREATE INDEX ${concurrently} x ON command (tenant);")).isFalse();
  }

  private static boolean locksATable(String migration) {
    return LOCKING_INDEX.matcher(migration).find();
  }

  /// A decision says why the version before does not use what is taken away.
  @Test
  void afterTheFirstVersionNothingIsTakenAwayThatNoDecisionNames() {
    String decisions = filesIn(DECISIONS).map(MigrationTest::read).collect(Collectors.joining());
    assertThat(laterMigrations())
        .filteredOn(file -> breaksAnOlderServer(read(file)))
        .allSatisfy(file -> assertThat(decisions).contains(file.getFileName().toString()));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "DROP TABLE pin;",
        "ALTER TABLE device drop column zone;",
        "ALTER TABLE device RENAME COLUMN zone TO place;",
        "ALTER TABLE device ALTER COLUMN windows\nSET  NOT NULL;",
        "ALTER TABLE device ALTER COLUMN version TYPE INTEGER;",
        "ALTER TABLE device ALTER version SET DATA TYPE INTEGER;",
        "ALTER TABLE device ADD COLUMN owner VARCHAR DEFAULT '', ADD COLUMN place VARCHAR NOT NULL;",
        "ALTER TABLE device ADD place VARCHAR NOT NULL -- DEFAULT ''\n;",
      })
  void whatAnOlderServerCannotWorkWithIsRecognized(String migration) {
    assertThat(breaksAnOlderServer(migration)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "-- No DROP TABLE, no RENAME.\nALTER TABLE device ADD COLUMN dropped_at TIMESTAMP(3);",
        "ALTER TABLE device ADD COLUMN type VARCHAR;",
        "ALTER TABLE device ADD COLUMN owner VARCHAR DEFAULT 'nobody' NOT NULL;",
        "ALTER TABLE device ADD COLUMN owner VARCHAR NOT NULL DEFAULT 'nobody';",
        "CREATE TABLE device_note (device VARCHAR NOT NULL, type VARCHAR NOT NULL);",
      })
  void whatIsAddedIsAllowed(String migration) {
    assertThat(breaksAnOlderServer(migration)).isFalse();
  }

  private static boolean breaksAnOlderServer(String migration) {
    String statements = COMMENT.matcher(migration).replaceAll("");
    return TAKES_AWAY.matcher(statements).find() || REQUIRES_A_VALUE.matcher(statements).find();
  }

  @Test
  void aServerStartsAndWritesOnTheTablesOfALaterVersion() throws Exception {
    DatabaseSettings fresh = engine.newDatabase();
    Database.migrate(fresh, Database.MIGRATIONS, "classpath:dev/uplift/store/widermigration");
    try (Database older = Database.open(fresh);
        Connection connection = connect(fresh)) {
      older.repository(TenantRepository.class).put("acme", "Acme");
      var devices = older.repository(DeviceRepository.class);
      DeviceId id = new DeviceId("acme", "gate");
      devices.put(
          new DeviceSpec(id, hosts("left"), Map.of("ring", "one"), ZoneId.of("Europe/Berlin")), Precondition.absent());
      devices.hold(id, "broken", "ann", Optional.empty());
      var entry = new AuditEntry("acme", "ann", "device.hold", "device/gate", "", "");
      older.repository(AuditRepository.class).append(entry);

      assertThat(older.repository(TenantRepository.class).find("acme"))
          .hasValueSatisfying(tenant -> assertThat(tenant.title()).isEqualTo("Acme"));
      assertThat(devices.list("acme", Map.of("ring", "one"), PageRequest.first(9)).rows())
          .singleElement()
          .satisfies(device -> assertThat(device.hold().orElseThrow().reason()).isEqualTo("broken"));
      assertThat(older.repository(AuditRepository.class).list("acme", Optional.empty(), PageRequest.first(9)).rows())
          .extracting(AuditRow::entry)
          .containsExactly(entry);
      assertThat(Database.migrateTables(fresh)).startsWith("the tables are at version ");
      // The planted columns and the table are there.
      execute(connection, "INSERT INTO device_note SELECT tenant, name, owner FROM device WHERE owner = 'nobody'");
      assertThatThrownBy(() -> execute(connection, "DELETE FROM device")).isInstanceOf(SQLException.class);
    }
  }

  private static List<Path> laterMigrations() {
    return filesIn(FOLDER).filter(file -> !file.getFileName().toString().startsWith("V1__")).toList();
  }

  private static Stream<Path> filesIn(Path folder) {
    try (Stream<Path> files = Files.list(folder)) {
      return files.toList().stream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
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
