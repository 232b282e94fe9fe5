package dev.uplift.services.archive;

import dev.uplift.store.archive.ArchivedKind;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// The numbers of archived records and rows of one run.
///
/// @param records upgrades, rollouts, barriers and entries of the audit log
/// @param rows of all tables
public record ArchiveResult(Map<ArchivedKind, Long> records, long files, long rows) {
  static final ArchiveResult NOTHING = new ArchiveResult(Map.of(), 0, 0);

  public ArchiveResult {
    records = Map.copyOf(records);
  }

  ArchiveResult plus(ArchivedKind kind, long more, long moreRows) {
    var sum = new EnumMap<ArchivedKind, Long>(ArchivedKind.class);
    sum.putAll(records);
    sum.merge(kind, more, Long::sum);
    return new ArchiveResult(sum, files + 1, rows + moreRows);
  }

  public boolean isEmpty() {
    return files == 0;
  }

  /// For people.
  @Override
  public String toString() {
    String each =
        new TreeMap<>(records)
            .entrySet().stream()
                .map(entry -> entry.getValue() + " " + entry.getKey().toString().toLowerCase(Locale.ROOT))
                .collect(Collectors.joining(", "));
    return isEmpty() ? "nothing to archive" : "archived %s: %d rows in %d files".formatted(each, rows, files);
  }
}
