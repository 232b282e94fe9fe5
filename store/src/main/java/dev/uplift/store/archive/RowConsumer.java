package dev.uplift.store.archive;

import java.util.SequencedMap;
import org.jspecify.annotations.Nullable;

/// Takes rows of the tables, one by one.
@FunctionalInterface
public interface RowConsumer {
  /// Takes one row.
  ///
  /// @param columns in the order of the table: texts, numbers, booleans, [java.time.Instant] and null
  void accept(String table, SequencedMap<String, @Nullable Object> columns);
}
