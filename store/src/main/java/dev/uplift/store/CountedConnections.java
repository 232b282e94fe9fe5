package dev.uplift.store;

import static java.util.Objects.requireNonNull;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.time.Duration;
import java.util.regex.Pattern;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Counts the statements and transactions of one connection while it is taken from the pool, and logs slow statements
/// without their values.
final class CountedConnections implements InvocationHandler {
  private static final Logger LOG = LoggerFactory.getLogger(CountedConnections.class);

  /// Each statement reads or writes a few rows by an index, or a page of a list.
  private static final Duration DEFAULT_SLOW = Duration.ofSeconds(1);

  private static final Pattern WRITE = Pattern.compile("\\s*(?:INSERT|UPDATE|DELETE)\\b");

  private final Connection connection;
  private final DatabaseCounts counts;
  private final Duration slow;
  private boolean writes;

  private CountedConnections(Connection connection, DatabaseCounts counts, Duration slow) {
    this.connection = connection;
    this.counts = counts;
    this.slow = slow;
  }

  /// Returns the same pool, whose connections are counted.
  static DataSource of(DataSource pool, DatabaseCounts counts) {
    return of(pool, counts, DEFAULT_SLOW);
  }

  /// As above.
  ///
  /// @param slow how long a statement takes at least to count as slow
  static DataSource of(DataSource pool, DatabaseCounts counts, Duration slow) {
    return proxy(
        DataSource.class,
        (_, method, arguments) -> {
          Object result = call(pool, method, arguments);
          return result instanceof Connection connection
              ? proxy(Connection.class, new CountedConnections(connection, counts, slow))
              : result;
        });
  }

  @Override
  public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments) throws Throwable {
    Object result = call(connection, method, arguments);
    switch (method.getName()) {
      case "prepareStatement" -> {
        String sql = arguments == null ? "" : String.valueOf(arguments[0]);
        counts.addStatement();
        writes |= WRITE.matcher(sql).lookingAt();
        return proxy(PreparedStatement.class, timed(requireNonNull(result), sql));
      }
      case "commit" -> end(writes);
      case "rollback" -> end(false);
      default -> {}
    }
    return result;
  }

  private InvocationHandler timed(Object statement, String sql) {
    return (_, method, arguments) -> {
      if (!method.getName().startsWith("execute")) {
        return call(statement, method, arguments);
      }
      long begin = System.nanoTime();
      try {
        return call(statement, method, arguments);
      } finally {
        record(Duration.ofNanos(System.nanoTime() - begin), sql);
      }
    };
  }

  private void record(Duration time, String sql) {
    boolean isSlow = time.compareTo(slow) >= 0;
    counts.addExecution(time, isSlow);
    if (isSlow) {
      LOG.warn("a statement took {} ms: {}", time.toMillis(), sql.strip().replaceAll("\\s+", " "));
    }
  }

  private void end(boolean wrote) {
    counts.addTransaction(wrote);
    writes = false;
  }

  private static @Nullable Object call(Object target, Method method, Object @Nullable [] arguments) throws Throwable {
    try {
      return method.invoke(target, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  private static <T> T proxy(Class<T> type, InvocationHandler handler) {
    return type.cast(Proxy.newProxyInstance(CountedConnections.class.getClassLoader(), new Class<?>[] {type}, handler));
  }
}
