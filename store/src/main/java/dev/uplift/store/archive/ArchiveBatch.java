package dev.uplift.store.archive;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// Records that leave the tables together, with every row that belongs to them.
///
/// @param ids of the upgrades or rollouts, or numbers of audit entries
/// @param end from where the search for the next batch goes on; empty if there is none
public record ArchiveBatch(String tenant, ArchivedKind kind, List<Object> ids, Optional<Position> end) {
  public ArchiveBatch {
    ids = List.copyOf(ids);
  }

  /// An upgrade, in the order in which upgrades are searched: newest first.
  public record Position(Instant startedAt, String id) {}

  public boolean isEmpty() {
    return ids.isEmpty();
  }
}
