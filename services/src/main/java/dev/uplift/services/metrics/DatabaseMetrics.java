package dev.uplift.services.metrics;

import com.zaxxer.hikari.metrics.micrometer.MicrometerMetricsTrackerFactory;
import dev.uplift.store.Database;
import dev.uplift.store.DatabaseCounts;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import jakarta.inject.Singleton;
import java.util.function.ToDoubleFunction;

/// What this server asks of its database, as metrics.
@Singleton
final class DatabaseMetrics implements MeterBinder {
  private static final double NANOS_PER_SECOND = 1e9;

  private final Database database;
  private final DatabaseCounts counts;

  DatabaseMetrics(Database database) {
    this.database = database;
    this.counts = database.counts();
  }

  @Override
  public void bindTo(MeterRegistry meters) {
    database.measureConnections(new MicrometerMetricsTrackerFactory(meters));
    counter("uplift.database.statements", DatabaseCounts::statements)
        .description("SQL statements; a batch is one")
        .register(meters);
    counter("uplift.database.slow.statements", DatabaseCounts::slowStatements)
        .description("SQL statements that took a second or more")
        .register(meters);
    counter("uplift.database.statement", each -> each.statementTime().toNanos() / NANOS_PER_SECOND)
        .baseUnit("seconds")
        .description("how long all SQL statements took together")
        .register(meters);
    String transactions = "uplift.database.transactions";
    String description = "transactions; those of the kind write were committed with a statement that writes";
    counter(transactions, DatabaseCounts::readTransactions)
        .tag("kind", "read")
        .description(description)
        .register(meters);
    counter(transactions, DatabaseCounts::writeTransactions)
        .tag("kind", "write")
        .description(description)
        .register(meters);
  }

  private FunctionCounter.Builder<DatabaseCounts> counter(String name, ToDoubleFunction<DatabaseCounts> count) {
    return FunctionCounter.builder(name, counts, count);
  }
}
