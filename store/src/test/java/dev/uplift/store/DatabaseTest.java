package dev.uplift.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.uplift.store.device.DeviceRepository;
import dev.uplift.store.device.DeviceRow;
import dev.uplift.store.device.Precondition;
import dev.uplift.store.device.SaveResult;
import dev.uplift.store.tenant.TenantRepository;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Collections;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

final class DatabaseTest extends DatabaseScenario {
  @Test
  void itAnswersWhileItIsOpen() {
    Database other = Database.open(settings);
    assertThat(other.isAvailable()).isTrue();

    other.close();
    assertThat(other.isAvailable()).isFalse();
    assertThat(database.isAvailable()).isTrue();
  }

  @Test
  void itCountsStatementsAndTransactions() {
    try (Database fresh = Database.open(engine.newDatabase())) {
      DatabaseCounts counts = fresh.counts();
      var tenants = fresh.repository(TenantRepository.class);

      assertThat(tenants.find("acme")).isEmpty();
      assertThat(counts.statements()).isEqualTo(1);
      assertThat(counts.readTransactions()).isEqualTo(1);
      assertThat(counts.writeTransactions()).isZero();

      fresh.inRolledBackTransaction(() -> tenants.put("acme", "Acme"));
      assertThat(counts.readTransactions()).isEqualTo(2);
      assertThat(counts.writeTransactions()).isZero();

      fresh.inTransaction(() -> tenants.put("acme", "Acme"));
      assertThat(counts.readTransactions()).isEqualTo(2);
      assertThat(counts.writeTransactions()).isEqualTo(1);
    }
  }

  @Test
  void writtenDataIsThereAfterAReopening() {
    DatabaseSettings fresh = engine.newDatabase();
    try (Database first = Database.open(fresh)) {
      first.repository(TenantRepository.class).put("acme", "Acme");
    }
    try (Database second = Database.open(fresh)) {
      assertThat(second.repository(TenantRepository.class).find("acme")).isPresent();
    }
  }

  @RepeatedTest(3)
  void manyServersMayMigrateTheTablesAtOnce() throws Exception {
    DatabaseSettings fresh = engine.newDatabase();
    int servers = 6;
    var start = new CyclicBarrier(servers);
    try (ExecutorService threads = Executors.newFixedThreadPool(servers)) {
      Callable<Boolean> opening =
          () -> {
            start.await();
            try (Database each = Database.open(fresh)) {
              return each.isAvailable();
            }
          };
      for (Future<Boolean> opened : threads.invokeAll(Collections.nCopies(servers, opening))) {
        assertThat(opened.get()).isTrue();
      }
    }
  }

  @Test
  void dryRunIsRolledBack() {
    var deviceRepository = database.repository(DeviceRepository.class);

    SaveResult tried =
        database.inRolledBackTransaction(() -> deviceRepository.put(spec("site", "left"), Precondition.absent()));

    assertThat(tried).isInstanceOf(SaveResult.Created.class);
    assertThat(deviceRepository.find(device("site"))).isEmpty();
    assertThatThrownBy(() -> database.inTransaction(() -> database.inRolledBackTransaction(() -> 1)))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void callsWithinOneTransactionSeeEachOther() {
    var deviceRepository = database.repository(DeviceRepository.class);

    DeviceRow seen =
        database.inTransaction(() -> {
          deviceRepository.put(spec("site", "left"), Precondition.absent());
          return deviceRepository.find(device("site")).orElseThrow();
        });

    assertThat(deviceRepository.find(device("site"))).contains(seen);
  }

  @Test
  void callsSucceedAgainAfterAnOutage() {
    var tenantRepository = database.repository(TenantRepository.class);
    breakAllConnections(settings);

    // The pool discovers one broken connection after the other.
    await()
        .atMost(Duration.ofSeconds(30))
        .ignoreExceptionsMatching(DatabaseUnavailable.class::isInstance)
        .until(() -> tenantRepository.find(tenant).isPresent());
    for (int i = 0; i < 20; i++) {
      tenantRepository.put(tenant, "title " + i);
    }
    assertThat(tenantRepository.find(tenant).orElseThrow().title()).isEqualTo("title 19");
  }

  @Test
  void aClosedDatabaseIsUnavailable() {
    DatabaseSettings fresh = engine.newDatabase();
    Database closed = Database.open(fresh);
    closed.close();

    assertThatThrownBy(() -> closed.repository(TenantRepository.class).find("acme"))
        .isInstanceOf(DatabaseUnavailable.class);
  }

  @Test
  void aThreadThatIsInterruptedHarmsNoOther() throws Exception {
    var done = new AtomicBoolean();
    try (ExecutorService threads = Executors.newFixedThreadPool(2)) {
      Future<Integer> undisturbed = threads.submit(() -> writesUntil(done::get));
      for (int i = 0; i < 50; i++) {
        var begun = new CountDownLatch(1);
        var cancelled = new AtomicBoolean();
        Future<Integer> interrupted =
            threads.submit(() -> {
              begun.countDown();
              return writesUntil(cancelled::get);
            });
        begun.await();
        interrupted.cancel(true);
        cancelled.set(true);
      }
      done.set(true);
      assertThat(undisturbed.get()).isPositive();
    }
    assertThat(database.isAvailable()).isTrue();
  }

  @Test
  void anInterruptIsNotLost() throws InterruptedException {
    var kept = new AtomicBoolean();
    var thread =
        new Thread(() -> {
          Thread.currentThread().interrupt();
          database.repository(TenantRepository.class).put(tenant, "interrupted");
          kept.set(Thread.currentThread().isInterrupted());
        });
    thread.start();
    thread.join();

    assertThat(kept).isTrue();
    assertThat(database.repository(TenantRepository.class).find(tenant).orElseThrow().title()).isEqualTo("interrupted");
  }

  @Test
  void anInterruptNeverReachesH2() throws Exception {
    var within = new CountDownLatch(1);
    var interrupted = new CountDownLatch(1);
    var seen = new AtomicBoolean();
    var kept = new AtomicBoolean();
    var thread =
        new Thread(() -> {
          database.inTransaction(() -> {
            within.countDown();
            awaitUninterruptibly(interrupted);
            seen.set(Thread.currentThread().isInterrupted());
            return seen;
          });
          kept.set(Thread.currentThread().isInterrupted());
        });
    thread.start();
    within.await();
    thread.interrupt();
    interrupted.countDown();
    thread.join();

    assertThat(seen.get()).isEqualTo(engine != DatabaseEngine.H2);
    assertThat(kept).isTrue();
  }

  private static void awaitUninterruptibly(CountDownLatch latch) {
    var _ = CompletableFuture.runAsync(() -> awaitChecked(latch)).join();
  }

  private static void awaitChecked(CountDownLatch latch) {
    try {
      assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void aFailureIsNotHiddenByThatOfTheRollback() {
    DatabaseSettings fresh = engine.newDatabase();
    try (Database open = Database.open(fresh)) {
      var tenants = open.repository(TenantRepository.class);
      tenants.put("acme", "");

      assertThatThrownBy(() ->
              open.inTransaction(() -> {
                breakAllConnections(fresh);
                return tenants.find("acme");
              }))
          .isInstanceOf(DatabaseUnavailable.class)
          .hasMessageNotContaining("onnection is closed");
    }
  }

  private int writesUntil(BooleanSupplier end) {
    var tenantRepository = database.repository(TenantRepository.class);
    int writes = 0;
    do {
      tenantRepository.put("tenant-" + Thread.currentThread().threadId(), "title " + writes++);
    } while (!end.getAsBoolean());
    return writes;
  }

  @Test
  void aCallWithoutAConnectionReportsTheDatabaseAsUnavailable() {
    DatabaseSettings fresh = engine.newDatabase();
    var single = new DatabaseSettings(fresh.url(), fresh.user(), fresh.password(), 1);
    try (Database busy = Database.open(single)) {
      var tenants = busy.repository(TenantRepository.class);

      Throwable failure =
          busy.inTransaction(
              () -> CompletableFuture.supplyAsync(() -> tenants.find("acme")).handle((_, thrown) -> thrown).join());

      assertThat(failure).hasCauseInstanceOf(DatabaseUnavailable.class);
    }
  }

  @Test
  void aMissingDatabaseIsReportedAsUnavailable() {
    DatabaseSettings nowhere =
        engine == DatabaseEngine.H2
            ? DatabaseSettings.h2File(Path.of("/proc/no-such-folder/uplift"))
            : new DatabaseSettings("jdbc:postgresql://127.0.0.1:1/uplift", "ann", "secret");

    assertThatThrownBy(() -> Database.open(nowhere))
        .isInstanceOf(DatabaseUnavailable.class)
        .hasMessageStartingWith("cannot open the database jdbc:")
        .hasMessageNotContaining("secret");
  }

  @Test
  void settingsReportFaultsAndHideThePassword() {
    assertThatThrownBy(() -> new DatabaseSettings("jdbc:mysql:x", "ann", "")).hasMessageContaining("jdbc:mysql:x");
    assertThat(settings.isShared()).isEqualTo(engine == DatabaseEngine.POSTGRESQL);
    assertThat(new DatabaseSettings("jdbc:h2:mem:x", "ann", "secret").toString()).isEqualTo("jdbc:h2:mem:x as ann");
  }

  @Test
  void optionsInTheUrlOfAnH2AreKept() {
    String url = ConnectionPools.url(new DatabaseSettings("jdbc:h2:file:/x;LOCK_TIMEOUT=7", "", ""));

    assertThat(url)
        .startsWith("jdbc:h2:async:/x;LOCK_TIMEOUT=7;")
        .contains(";WRITE_DELAY=0")
        .doesNotContain("LOCK_TIMEOUT=10000");
  }

  @Test
  void aDatabaseInMemoryIsGoneWhenItIsClosed() {
    DatabaseSettings inMemory = DatabaseSettings.h2InMemory();
    try (Database open = Database.open(inMemory)) {
      open.repository(TenantRepository.class).put("acme", "");
    }
    try (Database again = Database.open(inMemory)) {
      assertThat(again.repository(TenantRepository.class).find("acme")).isEmpty();
    }
  }

  @Test
  void thePlanOfAListUsesAnIndex() throws SQLException {
    // Tested, because a page of a long list needs this index.
    assertThat(indexes())
        .contains(
            "upgrade_newest",
            "upgrade_of_device",
            "upgrade_of_package",
            "upgrade_of_release",
            "command_of_upgrade",
            "command_by_cancel",
            "upgrade_by_outcome",
            "upgrade_running",
            "device_label_value",
            "host_by_device",
            "audit_of_target",
            "audit_newest",
            "rollout_newest",
            "rollout_in_state",
            "rollout_target_queue",
            "rollout_target_of_device",
            "rollout_target_result_number",
            "rollout_target_result",
            "rollout_target_started",
            "rollout_decision_newest");
  }

  private Set<String> indexes() throws SQLException {
    String sql =
        engine == DatabaseEngine.H2
            ? "SELECT index_name FROM information_schema.indexes"
            : "SELECT indexname FROM pg_indexes";
    var names = new HashSet<String>();
    try (Connection connection =
            DriverManager.getConnection(ConnectionPools.url(settings), settings.user(), settings.password());
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      while (rows.next()) {
        names.add(rows.getString(1));
      }
    }
    return names;
  }

  private void breakAllConnections(DatabaseSettings settings) {
    String sql =
        engine == DatabaseEngine.H2
            ? "SHUTDOWN IMMEDIATELY"
            : """
            SELECT pg_terminate_backend(pid) FROM pg_stat_activity
            WHERE datname = current_database() AND pid <> pg_backend_pid()\
            """;
    try (Connection connection =
            DriverManager.getConnection(ConnectionPools.url(settings), settings.user(), settings.password());
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }
}
