package dev.uplift.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.uplift.store.tenant.TenantRepository;
import java.net.URI;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Properties;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/// A server vanishes with its machine in the middle of a transaction. Its connections are never closed, as far as
/// PostgreSQL can tell.
final class VanishedServerTest {
  private final DatabaseSettings direct = DatabaseEngine.POSTGRESQL.newDatabase();

  @Test
  void itsLocksAreReleasedAndAnotherServerGoesOn() throws Exception {
    URI address = URI.create(direct.url().substring("jdbc:".length()));
    try (BlackHoleProxy proxy = new BlackHoleProxy(address.getPort());
        Database vanishing =
            Database.open(through(proxy, address, withIdleInTransaction(DatabaseTimeouts.DEFAULTS, 2)));
        Database other = Database.open(direct)) {
      other.repository(TenantRepository.class).put("acme", "before");
      var locked = new CountDownLatch(1);
      var end = new CountDownLatch(1);
      CompletableFuture<Void> transaction =
          CompletableFuture.runAsync(() -> putAndWait(vanishing, locked, end), Thread::startVirtualThread);
      locked.await();

      proxy.swallow();

      await()
          .atMost(Duration.ofSeconds(60))
          .ignoreExceptionsMatching(DatabaseUnavailable.class::isInstance)
          .until(() -> {
            other.repository(TenantRepository.class).put("acme", "after");
            return true;
          });
      assertThat(transaction).as("still in its transaction, as far as it knows").isNotDone();
      end.countDown();
      proxy.disconnect();
      assertThat(other.repository(TenantRepository.class).find("acme").orElseThrow().title()).isEqualTo("after");
    }
  }

  @Test
  void sessionsHaveTheDefaultsUnderWhichLocksAreReleasedWithin30Seconds() throws Exception {
    assertThat(DatabaseTimeouts.DEFAULTS.idleInTransaction()).isLessThan(Duration.ofSeconds(30));
    try (Connection connection = connectWithOptions()) {
      assertThat(show(connection, "idle_in_transaction_session_timeout")).isEqualTo("5s");
      assertThat(show(connection, "lock_timeout")).isEqualTo("10s");
      assertThat(show(connection, "statement_timeout")).isEqualTo("25s");
      assertThat(show(connection, "tcp_keepalives_idle")).isEqualTo("10");
      assertThat(show(connection, "tcp_user_timeout")).isEqualTo("25000");
    }
  }

  @Test
  void timeoutThatIsNotPositiveIsRefused() {
    assertThatThrownBy(() -> withIdleInTransaction(DatabaseTimeouts.DEFAULTS, 0))
        .hasMessage("idleInTransaction: expected a positive duration, found PT0S");
  }

  private static void putAndWait(Database database, CountDownLatch locked, CountDownLatch end) {
    database.inTransaction(() -> {
      database.repository(TenantRepository.class).put("acme", "never");
      locked.countDown();
      awaitUninterrupted(end);
      return 1;
    });
  }

  private static void awaitUninterrupted(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  private static DatabaseTimeouts withIdleInTransaction(DatabaseTimeouts timeouts, int seconds) {
    return new DatabaseTimeouts(
        timeouts.connection(), timeouts.lock(), Duration.ofSeconds(3), Duration.ofSeconds(seconds));
  }

  private DatabaseSettings through(BlackHoleProxy proxy, URI address, DatabaseTimeouts timeouts) {
    String url = direct.url().replace(":" + address.getPort() + "/", ":" + proxy.port() + "/");
    return new DatabaseSettings(url, direct.user(), direct.password(), 2, timeouts);
  }

  private Connection connectWithOptions() throws SQLException {
    var properties = new Properties();
    properties.setProperty("user", direct.user());
    properties.setProperty("password", direct.password());
    properties.setProperty("options", DatabaseTimeouts.DEFAULTS.sessionOptions());
    return DriverManager.getConnection(direct.url(), properties);
  }

  private static String show(Connection connection, String parameter) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery("SHOW " + parameter)) {
      result.next();
      return result.getString(1);
    }
  }
}
