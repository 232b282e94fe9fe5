package dev.uplift.store;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.util.regex.Pattern;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/// Counts the statements and transactions of one connection while it is taken from the pool.
final class CountedConnections implements InvocationHandler {
  private static final Pattern WRITE = Pattern.compile("\\s*(?:INSERT|UPDATE|DELETE)\\b");

  private final Connection connection;
  private final DatabaseCounts counts;
  private boolean writes;

  private CountedConnections(Connection connection, DatabaseCounts counts) {
    this.connection = connection;
    this.counts = counts;
  }

  /// Returns the same pool, whose connections are counted.
  static DataSource of(DataSource pool, DatabaseCounts counts) {
    return proxy(
        DataSource.class,
        (_, method, arguments) -> {
          Object result = call(pool, method, arguments);
          return result instanceof Connection connection
              ? proxy(Connection.class, new CountedConnections(connection, counts))
              : result;
        });
  }

  @Override
  public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments) throws Throwable {
    Object result = call(connection, method, arguments);
    switch (method.getName()) {
      case "prepareStatement" -> {
        counts.addStatement();
        writes |= arguments != null && WRITE.matcher(String.valueOf(arguments[0])).lookingAt();
      }
      case "commit" -> end(writes);
      case "rollback" -> end(false);
      default -> {}
    }
    return result;
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
