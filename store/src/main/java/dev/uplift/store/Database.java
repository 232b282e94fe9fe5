package dev.uplift.store;

import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.metrics.MetricsTrackerFactory;
import io.micronaut.context.ApplicationContext;
import io.micronaut.context.RuntimeBeanDefinition;
import io.micronaut.core.propagation.PropagatedContext;
import io.micronaut.data.jdbc.config.DataJdbcConfiguration;
import io.micronaut.data.model.query.builder.sql.Dialect;
import io.micronaut.inject.qualifiers.Qualifiers;
import io.micronaut.transaction.TransactionOperations;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Instant;
import java.time.InstantSource;
import java.time.OffsetDateTime;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.flywaydb.core.api.configuration.FluentConfiguration;
import org.flywaydb.core.api.output.MigrateResult;
import org.flywaydb.database.postgresql.PostgreSQLConfigurationExtension;
import org.jspecify.annotations.Nullable;

/// The open database, at the newest version of the tables, and its repositories. Safe for use by many threads, and by
/// threads that are interrupted.
///
/// Every call on a repository is one transaction ([Transacted]): when it returns, what it wrote stays, whatever is
/// killed. A call that cannot reach the database throws [DatabaseUnavailable] within seconds and may be repeated.
public final class Database implements AutoCloseable {
  /// How often a transaction is tried that collides with others. Each try has waited for its turn.
  private static final int MAX_ATTEMPTS = 10;

  static final String MIGRATIONS = "classpath:dev/uplift/store/migration";

  private static final Object H2_MIGRATION = new Object();

  private final HikariDataSource pool;
  private final ApplicationContext beans;
  private final TransactionOperations<Connection> transactions;
  private final DatabaseCounts counts = new DatabaseCounts();

  /// Runs transactions where no interrupt of a caller reaches them. An interrupt that meets H2 in the middle of a
  /// commit (`MVMap.tryLock`) closes the database under all other threads.
  private final Optional<ExecutorService> threads;

  @SuppressWarnings("unchecked")
  private Database(HikariDataSource pool, InstantSource clock, boolean isShared) {
    this.pool = pool;
    this.threads =
        isShared
            ? Optional.empty()
            : Optional.of(Executors.newCachedThreadPool(Thread.ofPlatform().name("database-", 1).daemon().factory()));
    this.beans =
        ApplicationContext.builder()
            .environments(StoreBeans.ENVIRONMENT)
            .deduceEnvironment(false)
            .enableDefaultPropertySources(false)
            .banner(false)
            // Its beans and those of the process are on one class path; only the process has metrics.
            .properties(Map.of("micronaut.metrics.enabled", false))
            .singletons(this, new StoreClock(clock))
            .build();
    beans.registerBeanDefinition(
        RuntimeBeanDefinition.builder(DataSource.class, () -> CountedConnections.of(pool, counts))
            .named("default")
            .singleton(true)
            .build());
    beans.registerBeanDefinition(
        RuntimeBeanDefinition.builder(DataJdbcConfiguration.class, Database::configuration)
            .named("default")
            .singleton(true)
            .build());
    beans.start();
    this.transactions = beans.getBean(TransactionOperations.class);
  }

  private static DataJdbcConfiguration configuration() {
    var configuration = new DataJdbcConfiguration("default");
    configuration.setDialect(Dialect.POSTGRES);
    return configuration;
  }

  /// [#open(DatabaseSettings, InstantSource)] with the clock of the system.
  public static Database open(DatabaseSettings settings) {
    return open(settings, Clock.systemUTC());
  }

  /// Brings the tables to the newest version and keeps connections open. Several servers may do so at the same time on
  /// PostgreSQL, and several threads of one process on H2; of two processes on H2 the second is refused.
  ///
  /// @param clock of the times that the repositories write
  /// @throws DatabaseUnavailable if it cannot be reached, or another process has the file
  public static Database open(DatabaseSettings settings, InstantSource clock) {
    HikariDataSource pool;
    try {
      pool = ConnectionPools.open(settings);
    } catch (RuntimeException e) {
      throw DatabaseErrors.openFailed(settings, e);
    }
    try {
      var _ = migrate(settings);
      return new Database(pool, clock, settings.isShared());
    } catch (FlywayException e) {
      pool.close();
      throw DatabaseErrors.migrationFailed(settings, e);
    }
  }

  /// Brings the tables to the newest version, while servers of this version and of the one before run.
  ///
  /// @return what was done, in words
  /// @throws DatabaseUnavailable if it cannot be reached, or another process has the file
  public static String migrateTables(DatabaseSettings settings) {
    try {
      MigrateResult result = migrate(settings);
      return result.migrationsExecuted == 0
          ? "the tables are at version %s already".formatted(result.initialSchemaVersion)
          : "the tables are at version %s now".formatted(result.targetSchemaVersion);
    } catch (FlywayException e) {
      throw DatabaseErrors.migrationFailed(settings, e);
    }
  }

  /// Flyway takes no lock on H2: two threads that migrate an empty database would both create its table.
  private static MigrateResult migrate(DatabaseSettings settings) {
    if (settings.isShared()) {
      return migrate(settings, MIGRATIONS);
    }
    synchronized (H2_MIGRATION) {
      return migrate(settings, MIGRATIONS);
    }
  }

  /// Uses a connection of its own, where a long migration meets no time-out. `${concurrently}` is the word with which
  /// PostgreSQL builds an index beside running transactions; it waits for all of them, so Flyway's lock must not be
  /// one.
  static MigrateResult migrate(DatabaseSettings settings, String... locations) {
    FluentConfiguration configuration =
        Flyway.configure(Database.class.getClassLoader())
            .dataSource(ConnectionPools.url(settings), settings.user(), settings.password())
            .placeholders(Map.of("concurrently", settings.isShared() ? "CONCURRENTLY" : ""))
            .locations(locations);
    configuration.getPluginRegister().getExact(PostgreSQLConfigurationExtension.class).setTransactionalLock(false);
    return configuration.load().migrate();
  }

  /// Returns all repositories, to be registered as beans of another context. They are proxies of this context, which is
  /// of its own because the database is opened before anything else: a process that cannot reach it ends with one line,
  /// and a test needs no more than this.
  public Object[] repositories() {
    return beans.getBeansOfType(Object.class, Qualifiers.byStereotype(Transacted.class)).toArray();
  }

  /// Returns the repository of this type, or a bean that is made of repositories.
  ///
  /// @throws DatabaseUnavailable if this is closed
  public <T> T repository(Class<T> type) {
    if (!beans.isRunning()) {
      throw closed(null);
    }
    return beans.getBean(type);
  }

  /// Returns whether it is one that several servers use: PostgreSQL, not H2.
  public boolean isShared() {
    return threads.isEmpty();
  }

  /// Returns what this process has asked of the database, without migrations and checks of connections.
  public DatabaseCounts counts() {
    return counts;
  }

  /// Has the use of the connections measured. Once.
  public void measureConnections(MetricsTrackerFactory metrics) {
    pool.setMetricsTrackerFactory(metrics);
  }

  /// Opens further connections with another password. Those that are open stay.
  public void changePassword(String password) {
    pool.getHikariConfigMXBean().setPassword(password);
  }

  /// Returns whether the database answers, within seconds; for readiness. Never throws.
  public boolean isAvailable() {
    try (Connection connection = pool.getConnection()) {
      return connection.isValid(1);
    } catch (SQLException _) {
      return false;
    }
  }

  /// The program that keeps the tables.
  ///
  /// @param name with its version
  /// @param time of its clock
  public record DatabaseProduct(String name, Instant time) {}

  /// Asks the database what it is and for its time.
  ///
  /// @throws DatabaseUnavailable if it does not answer
  public DatabaseProduct product() {
    try (Connection connection = pool.getConnection();
        PreparedStatement statement = connection.prepareStatement("SELECT CURRENT_TIMESTAMP");
        ResultSet rows = statement.executeQuery()) {
      rows.next();
      DatabaseMetaData metaData = connection.getMetaData();
      return new DatabaseProduct(
          metaData.getDatabaseProductName() + " " + metaData.getDatabaseProductVersion(),
          rows.getObject(1, OffsetDateTime.class).toInstant());
    } catch (SQLException e) {
      throw new DatabaseUnavailable("the database does not answer: " + e.getMessage(), e);
    }
  }

  /// Runs `work` as one transaction, or as a part of the one that this thread is in: all calls on repositories that it
  /// makes on this thread are kept together or not at all. May run it more than once, when another transaction
  /// collided.
  public <T> T inTransaction(Supplier<T> work) {
    return isInTransaction() ? work.get() : execute(work, false);
  }

  /// Returns what `work` returns and keeps nothing of it.
  ///
  /// @throws IllegalStateException within [#inTransaction]
  public <T> T inRolledBackTransaction(Supplier<T> work) {
    if (isInTransaction()) {
      throw new IllegalStateException("within a transaction, whose work would be lost");
    }
    return execute(work, true);
  }

  /// Requires that this thread is in a transaction; outside of one a lock would be lost at once.
  ///
  /// @throws IllegalStateException outside of [#inTransaction]
  void requireTransaction() {
    if (!isInTransaction()) {
      throw new IllegalStateException("outside of a transaction, at whose end the lock is lost");
    }
  }

  private boolean isInTransaction() {
    return transactions.findTransactionStatus().isPresent();
  }

  private <T> T execute(Supplier<T> work, boolean rollBack) {
    Supplier<T> transaction = () -> retryOnConflict(() -> executeOnce(work, rollBack));
    if (threads.isEmpty()) {
      return transaction.get();
    }
    try {
      return CompletableFuture.supplyAsync(PropagatedContext.wrapCurrent(transaction), threads.get()).join();
    } catch (CompletionException e) {
      if (e.getCause() instanceof Error error) {
        throw error;
      }
      throw e.getCause() instanceof RuntimeException failure ? failure : e;
    } catch (RejectedExecutionException e) {
      throw closed(e);
    }
  }

  private static <T> T retryOnConflict(Supplier<T> transaction) {
    for (int attempt = 1; ; attempt++) {
      try {
        return transaction.get();
      } catch (RuntimeException e) {
        if (attempt == MAX_ATTEMPTS || !DatabaseErrors.isConflict(e)) {
          throw DatabaseErrors.translate(e);
        }
      }
    }
  }

  private <T> T executeOnce(Supplier<T> work, boolean rollBack) {
    var first = new AtomicReference<@Nullable RuntimeException>();
    try {
      return transactions.executeWrite(status -> {
        if (rollBack) {
          status.setRollbackOnly();
        }
        try {
          return work.get();
        } catch (RuntimeException e) {
          first.set(e);
          throw e;
        }
      });
    } catch (RuntimeException e) {
      // The failure that matters may have closed the connection, and then the rollback fails, too.
      RuntimeException failure = first.get();
      throw failure == null ? e : failure;
    }
  }

  private static DatabaseUnavailable closed(@Nullable Exception cause) {
    return new DatabaseUnavailable("the database is closed", cause);
  }

  @Override
  public void close() {
    threads.ifPresent(ExecutorService::shutdown);
    beans.close();
    pool.close();
  }
}
