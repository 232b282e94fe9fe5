package dev.uplift.store;

import java.time.Duration;
import java.util.concurrent.atomic.LongAdder;

/// What the database was asked for since it was opened, by this process. Counts only grow.
public final class DatabaseCounts {
  private final LongAdder statements = new LongAdder();
  private final LongAdder slowStatements = new LongAdder();
  private final LongAdder statementNanos = new LongAdder();
  private final LongAdder readTransactions = new LongAdder();
  private final LongAdder writeTransactions = new LongAdder();

  DatabaseCounts() {}

  /// Statements, of which a batch is one.
  public long statements() {
    return statements.sum();
  }

  /// Statements that took a second or more.
  public long slowStatements() {
    return slowStatements.sum();
  }

  /// How long all statements took together.
  public Duration statementTime() {
    return Duration.ofNanos(statementNanos.sum());
  }

  /// Transactions that only read, and those that were rolled back: none of them waited for a disk.
  public long readTransactions() {
    return readTransactions.sum();
  }

  /// Committed transactions with a statement that writes, even if it found no row to change.
  public long writeTransactions() {
    return writeTransactions.sum();
  }

  void addStatement() {
    statements.increment();
  }

  void addExecution(Duration time, boolean isSlow) {
    statementNanos.add(time.toNanos());
    if (isSlow) {
      slowStatements.increment();
    }
  }

  void addTransaction(boolean wrote) {
    (wrote ? writeTransactions : readTransactions).increment();
  }
}
