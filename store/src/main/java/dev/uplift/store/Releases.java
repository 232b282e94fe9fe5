package dev.uplift.store;

import dev.uplift.fleet.Release;
import java.time.InstantSource;
import java.util.Optional;

/// The table `release`. What is in it never changes.
@SuppressWarnings("DoNotCallSuggester")
public final class Releases {
  public Releases(Database database, InstantSource clock) {}

  /// The release stands in the records, unless another one is in its place.
  ///
  /// @throws NoSuchTenant if there is none for it
  public Published put(NewRelease release) {
    throw new UnsupportedOperationException();
  }

  public Optional<ReleaseRow> find(String tenant, Release release) {
    throw new UnsupportedOperationException();
  }

  /// The one with the highest sequence.
  public Optional<ReleaseRow> newest(String tenant, String packageName) {
    throw new UnsupportedOperationException();
  }

  /// By package, then newest first.
  ///
  /// @param packageName empty for all
  public Page<ReleaseRow> list(String tenant, Optional<String> packageName, PageRequest page) {
    throw new UnsupportedOperationException();
  }
}
