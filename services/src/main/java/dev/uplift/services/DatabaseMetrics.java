package dev.uplift.services;

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
  private final DatabaseCounts counts;

  DatabaseMetrics(Database database) {
    this.counts = database.counts();
  }

  @Override
  public void bindTo(MeterRegistry meters) {
    counter("uplift.database.statements", DatabaseCounts::statements)
        .description("SQL statements; a batch is one")
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
