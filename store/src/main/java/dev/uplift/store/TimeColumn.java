package dev.uplift.store;

import io.micronaut.core.convert.ConversionContext;
import io.micronaut.data.model.runtime.convert.AttributeConverter;
import jakarta.inject.Singleton;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.sql.Types;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Keeps a time that may be absent in a column, to the millisecond: each database would round it in its own way.
@Singleton
public final class TimeColumn implements AttributeConverter<Object, Timestamp> {
  /// Binds a time in a statement that is written by hand.
  public static void bind(PreparedStatement statement, int parameter, Optional<Instant> time) throws SQLException {
    statement.setObject(
        parameter,
        time.map(at -> at.truncatedTo(ChronoUnit.MILLIS).atOffset(ZoneOffset.UTC)).orElse(null),
        Types.TIMESTAMP_WITH_TIMEZONE);
  }

  @Override
  public @Nullable Timestamp convertToPersistedValue(@Nullable Object value, ConversionContext context) {
    return switch (value) {
      case Optional<?> optional -> convertToPersistedValue(optional.orElse(null), context);
      case Instant time -> Timestamp.from(time.truncatedTo(ChronoUnit.MILLIS));
      case null, default -> null;
    };
  }

  @Override
  public Optional<Instant> convertToEntityValue(@Nullable Timestamp time, ConversionContext context) {
    return Optional.ofNullable(time).map(Timestamp::toInstant);
  }
}
