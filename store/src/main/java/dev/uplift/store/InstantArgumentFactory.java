package dev.uplift.store;

import java.sql.Types;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import org.jdbi.v3.core.argument.AbstractArgumentFactory;
import org.jdbi.v3.core.argument.Argument;
import org.jdbi.v3.core.config.ConfigRegistry;

/// A time, cut off to the millisecond: the databases would round it, each in its way.
final class InstantArgumentFactory extends AbstractArgumentFactory<Instant> {
  InstantArgumentFactory() {
    super(Types.TIMESTAMP_WITH_TIMEZONE);
  }

  @Override
  protected Argument build(Instant value, ConfigRegistry config) {
    var kept = value.truncatedTo(ChronoUnit.MILLIS).atOffset(ZoneOffset.UTC);
    return (position, statement, _) -> statement.setObject(position, kept);
  }
}
