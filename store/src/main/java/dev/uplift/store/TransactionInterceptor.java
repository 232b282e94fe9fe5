package dev.uplift.store;

import io.micronaut.aop.InterceptorBean;
import io.micronaut.aop.MethodInterceptor;
import io.micronaut.aop.MethodInvocationContext;
import io.micronaut.core.type.MutableArgumentValue;
import jakarta.inject.Singleton;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/// Carries out [Transacted] and [RequiresTransaction], and gives statements only values that both databases can keep.
@Singleton
@InterceptorBean(Transacted.class)
final class TransactionInterceptor implements MethodInterceptor<Object, Object> {
  private final Database database;

  TransactionInterceptor(Database database) {
    this.database = database;
  }

  @Override
  public @Nullable Object intercept(MethodInvocationContext<Object, Object> call) {
    if (call.hasAnnotation(RequiresTransaction.class)) {
      database.requireTransaction();
    }
    if (call.getExecutableMethod().isAbstract()) {
      call.getParameters().values().forEach(TransactionInterceptor::normalize);
    }
    return database.inTransaction(() -> call.proceed(this));
  }

  @SuppressWarnings("unchecked")
  private static void normalize(MutableArgumentValue<?> argument) {
    Object value = argument.getValue();
    if (value instanceof String text) {
      ((MutableArgumentValue<Object>) argument).setValue(StoredText.sanitize(text));
    } else if (value instanceof Instant time) {
      // The databases would round it, each in its way.
      ((MutableArgumentValue<Object>) argument).setValue(time.truncatedTo(ChronoUnit.MILLIS));
    }
  }
}
