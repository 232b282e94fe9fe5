package dev.uplift.services.upgrade;

import dev.uplift.fleet.Release;
import dev.uplift.store.release.ReleaseRepository;
import dev.uplift.store.release.ReleaseRow;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/// The sequences of releases. Each is read once and kept, because that of a published release never changes and no
/// later tenant has the name of a deleted one.
final class ReleaseSequences {
  private static final int MAX_KEPT = 10_000;

  private record Key(String tenant, Release release) {}

  private final ReleaseRepository releases;

  /// Those that were asked for last.
  private final Map<Key, Long> kept =
      Collections.synchronizedMap(
          new LinkedHashMap<>(16, 0.75f, true) {
            @Override
            protected boolean removeEldestEntry(Map.Entry<Key, Long> eldest) {
              return size() > MAX_KEPT;
            }
          });

  ReleaseSequences(ReleaseRepository releases) {
    this.releases = releases;
  }

  /// Returns the sequence; empty if the release is not published, which is not remembered.
  Optional<Long> find(String tenant, Release release) {
    var key = new Key(tenant, release);
    Optional<Long> known = Optional.ofNullable(kept.get(key));
    return known.isPresent() ? known : read(key);
  }

  private Optional<Long> read(Key key) {
    Optional<Long> found = releases.find(key.tenant, key.release).map(ReleaseRow::sequence);
    found.ifPresent(sequence -> kept.put(key, sequence));
    return found;
  }
}
