package dev.uplift.api.security;

import dev.uplift.services.scheduling.PeriodicTasks;
import java.time.Duration;
import java.util.function.UnaryOperator;

/// A value as it was in the database at most two seconds ago; as long as the database is unavailable, as it was before.
/// In memory, because each request asks, on a thread that must not wait.
final class RefreshedCache<T> implements AutoCloseable {
  private static final Duration REFRESH_INTERVAL = Duration.ofSeconds(2);

  private final UnaryOperator<T> reader;
  private final PeriodicTasks tasks = new PeriodicTasks();
  private volatile T value;

  /// @param name of its thread
  /// @param reader returns the value of now, given the one of before
  RefreshedCache(String name, T first, UnaryOperator<T> reader) {
    this.reader = reader;
    this.value = first;
    tasks.schedule(REFRESH_INTERVAL, name, this::refresh);
  }

  T get() {
    return value;
  }

  /// Reads the value. Afterwards everything counts that was committed before.
  synchronized void refresh() {
    value = reader.apply(value);
  }

  @Override
  public void close() {
    tasks.close();
  }
}
