package dev.uplift.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

final class DatabaseTest extends OnBothDatabases {
  @Test
  void itAnswersWhileItIsOpen() {
    Database other = Database.open(settings);
    assertThat(other.answers()).isTrue();

    other.close();
    assertThat(other.answers()).isFalse();
    assertThat(database.answers()).isTrue();
  }

  @Test
  void whatWasWrittenIsThereWhenItIsOpenedAgain() {
    DatabaseSettings fresh = engine.fresh();
    try (Database first = Database.open(fresh)) {
      new Tenants(first, clock).put("acme", "Acme");
    }
    try (Database second = Database.open(fresh)) {
      assertThat(new Tenants(second, clock).find("acme")).isPresent();
    }
  }

  @Test
  void manyServersMayBringTheTablesToTheNewestVersionAtOnce() throws Exception {
    DatabaseSettings fresh = engine.fresh();
    try (ExecutorService threads = Executors.newFixedThreadPool(3)) {
      Callable<Boolean> opening =
          () -> {
            try (Database each = Database.open(fresh)) {
              return each.answers();
            }
          };
      for (Future<Boolean> opened : threads.invokeAll(List.of(opening, opening, opening))) {
        assertThat(opened.get()).isTrue();
      }
    }
  }

  @Test
  void whatIsTriedOutIsNotKept() {
    var devices = new Devices(database, clock);

    Saved tried = database.tryOut(() -> devices.put(spec("site", "left"), Expected.absent()));

    assertThat(tried).isInstanceOf(Saved.Created.class);
    assertThat(devices.find(device("site"))).isEmpty();
    assertThatThrownBy(() -> database.together(() -> database.tryOut(() -> 1)))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void callsWithinOneTransactionSeeEachOther() {
    var devices = new Devices(database, clock);

    DeviceRow seen =
        database.together(() -> {
          devices.put(spec("site", "left"), Expected.absent());
          return devices.find(device("site")).orElseThrow();
        });

    assertThat(devices.find(device("site"))).contains(seen);
  }

  @Test
  void callsGoOnAfterTheDatabaseWasAway() throws SQLException {
    var tenants = new Tenants(database, clock);
    breakAllConnections();

    // The pool learns one connection after the other that they are gone.
    await()
        .atMost(Duration.ofSeconds(30))
        .ignoreExceptionsMatching(DatabaseAway.class::isInstance)
        .until(() -> tenants.find(tenant).isPresent());
    for (int i = 0; i < 20; i++) {
      tenants.put(tenant, "title " + i);
    }
    assertThat(tenants.find(tenant).orElseThrow().title()).isEqualTo("title 19");
  }

  @Test
  void aDatabaseThatIsClosedIsAway() {
    DatabaseSettings fresh = engine.fresh();
    Database closed = Database.open(fresh);
    closed.close();

    assertThatThrownBy(() -> new Tenants(closed, clock).find("acme"))
        .isInstanceOf(DatabaseAway.class);
  }

  @Test
  void aThreadThatIsInterruptedHarmsNoOther() throws Exception {
    var done = new AtomicBoolean();
    try (ExecutorService threads = Executors.newFixedThreadPool(2)) {
      Future<Integer> undisturbed = threads.submit(() -> writesUntil(done::get));
      for (int i = 0; i < 50; i++) {
        var begun = new CountDownLatch(1);
        var told = new AtomicBoolean();
        Future<Integer> interrupted =
            threads.submit(() -> {
              begun.countDown();
              return writesUntil(told::get);
            });
        begun.await();
        interrupted.cancel(true);
        told.set(true);
      }
      done.set(true);
      assertThat(undisturbed.get()).isPositive();
    }
    assertThat(database.answers()).isTrue();
  }

  @Test
  void anInterruptIsNotLost() throws InterruptedException {
    var kept = new AtomicBoolean();
    var thread =
        new Thread(() -> {
          Thread.currentThread().interrupt();
          new Tenants(database, clock).put(tenant, "interrupted");
          kept.set(Thread.currentThread().isInterrupted());
        });
    thread.start();
    thread.join();

    assertThat(kept).isTrue();
    assertThat(new Tenants(database, clock).find(tenant).orElseThrow().title())
        .isEqualTo("interrupted");
  }

  private int writesUntil(BooleanSupplier end) {
    var tenants = new Tenants(database, clock);
    int writes = 0;
    do {
      tenants.put("tenant-" + Thread.currentThread().threadId(), "title " + writes++);
    } while (!end.getAsBoolean());
    return writes;
  }

  @Test
  void aDatabaseThatIsNotThereIsSaidToBeAway() {
    DatabaseSettings nowhere =
        engine == Engine.H2
            ? DatabaseSettings.inFile(Path.of("/proc/no-such-folder/uplift"))
            : new DatabaseSettings("jdbc:postgresql://127.0.0.1:1/uplift", "ann", "secret");

    assertThatThrownBy(() -> Database.open(nowhere))
        .isInstanceOf(DatabaseAway.class)
        .hasMessageStartingWith("cannot open the database jdbc:")
        .hasMessageNotContaining("secret");
  }

  @Test
  void settingsSayWhatIsWrongAndHideThePassword() {
    assertThatThrownBy(() -> new DatabaseSettings("jdbc:mysql:x", "ann", ""))
        .hasMessageContaining("jdbc:mysql:x");
    assertThat(settings.isShared()).isEqualTo(engine == Engine.POSTGRESQL);
    assertThat(new DatabaseSettings("jdbc:h2:mem:x", "ann", "secret").toString())
        .isEqualTo("jdbc:h2:mem:x as ann");
  }

  @Test
  void whatTheAddressOfAnH2SaysItselfStays() {
    String url = Connections.url(new DatabaseSettings("jdbc:h2:file:/x;LOCK_TIMEOUT=7", "", ""));

    assertThat(url)
        .startsWith("jdbc:h2:async:/x;LOCK_TIMEOUT=7;")
        .contains(";WRITE_DELAY=0")
        .doesNotContain("LOCK_TIMEOUT=10000");
  }

  @Test
  void aDatabaseInMemoryIsGoneWhenItIsClosed() {
    DatabaseSettings inMemory = DatabaseSettings.inMemory();
    try (Database open = Database.open(inMemory)) {
      new Tenants(open, clock).put("acme", "");
    }
    try (Database again = Database.open(inMemory)) {
      assertThat(new Tenants(again, clock).find("acme")).isEmpty();
    }
  }

  @Test
  void thePlanOfAListUsesAnIndex() {
    // Held here so that nobody drops an index that a page of a long list needs.
    assertThat(indexes())
        .containsKeys(
            "upgrade_newest",
            "upgrade_of_device",
            "upgrade_of_package",
            "upgrade_tried",
            "command_of_upgrade",
            "upgrade_by_outcome",
            "upgrade_in_work",
            "device_label_asked",
            "host_by_device",
            "audit_of_target",
            "audit_newest",
            "rollout_newest",
            "rollout_in_state",
            "rollout_target_turn",
            "rollout_target_of_device",
            "rollout_target_judged",
            "rollout_target_verdict",
            "rollout_target_started",
            "rollout_decision_newest");
  }

  private Map<String, String> indexes() {
    String sql =
        engine == Engine.H2
            ? "SELECT index_name, table_name FROM information_schema.indexes"
            : "SELECT indexname, tablename FROM pg_indexes";
    return database.run(handle ->
        handle
            .createQuery(sql)
            .map((row, _) -> Map.entry(row.getString(1), row.getString(2)))
            .collectToMap(Map.Entry::getKey, Map.Entry::getValue));
  }

  private void breakAllConnections() throws SQLException {
    String sql =
        engine == Engine.H2
            ? "SHUTDOWN IMMEDIATELY"
            : """
            SELECT pg_terminate_backend(pid) FROM pg_stat_activity
            WHERE datname = current_database() AND pid <> pg_backend_pid()\
            """;
    try (Connection connection =
            DriverManager.getConnection(
                Connections.url(settings), settings.user(), settings.password());
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
