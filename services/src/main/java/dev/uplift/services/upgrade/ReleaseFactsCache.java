package dev.uplift.services.upgrade;

import dev.uplift.fleet.Release;
import dev.uplift.store.release.ReleaseRepository;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/// The facts of releases. Those of each are read once and kept, because they never change and no later tenant has the
/// name of a deleted one.
final class ReleaseFactsCache {
  private static final int MAX_KEPT = 10_000;

  private record Key(String tenant, Release release) {}

  private final ReleaseRepository releases;

  /// Those that were asked for last.
  private final Map<Key, ReleaseFacts> kept =
      Collections.synchronizedMap(
          new LinkedHashMap<>(16, 0.75f, true) {
            @Override
            protected boolean removeEldestEntry(Map.Entry<Key, ReleaseFacts> eldest) {
              return size() > MAX_KEPT;
            }
          });

  ReleaseFactsCache(ReleaseRepository releases) {
    this.releases = releases;
  }

  /// Returns the facts; empty if the release is not published, which is not remembered.
  Optional<ReleaseFacts> find(String tenant, Release release) {
    var key = new Key(tenant, release);
    Optional<ReleaseFacts> known = Optional.ofNullable(kept.get(key));
    return known.isPresent() ? known : read(key);
  }

  private Optional<ReleaseFacts> read(Key key) {
    Optional<ReleaseFacts> found = releases.find(key.tenant, key.release).map(ReleaseFacts::of);
    found.ifPresent(facts -> kept.put(key, facts));
    return found;
  }
}
