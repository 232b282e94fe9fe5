package dev.uplift.store;

import dev.uplift.fleet.DeviceId;
import dev.uplift.fleet.Release;
import java.time.InstantSource;
import java.util.Optional;

/// The table `upgrade`. While an upgrade runs Temporal is the truth and this a projection of it;
/// how it ended stands here for ever.
@SuppressWarnings("DoNotCallSuggester")
public final class Upgrades {
  public Upgrades(Database database, InstantSource clock) {}

  /// The upgrade stands in the records. Safe to repeat: the first call writes, each returns the row
  /// as it stands, with its end if it has one. An id that was used for another device or release
  /// returns that row unchanged: compare.
  ///
  /// @throws NoSuchTenant if there is none for it
  public UpgradeRow begin(NewUpgrade upgrade) {
    throw new UnsupportedOperationException();
  }

  /// The upgrade has ended. Safe to repeat: the first end stays, whatever comes later, and is in
  /// the row that is returned. Empty if the id is not in the records, as after they were restored
  /// from an older copy: then [#begin] again first.
  public Optional<UpgradeRow> end(String tenant, String id, UpgradeEnd end) {
    throw new UnsupportedOperationException();
  }

  public Optional<UpgradeRow> find(String tenant, String id) {
    throw new UnsupportedOperationException();
  }

  /// Newest first.
  public Page<UpgradeRow> list(String tenant, UpgradeFilter filter, PageRequest page) {
    throw new UnsupportedOperationException();
  }

  /// The upgrade that shows that this release does not work on this device: it ended with an error
  /// of its own after the release last succeeded there. Deadlines, aborts and refusals do not
  /// count.
  public Optional<UpgradeRow> failedBefore(DeviceId device, Release release) {
    throw new UnsupportedOperationException();
  }

  /// Upgrades of all tenants that have not ended, oldest first; for the reconciler.
  public Page<UpgradeRow> open(PageRequest page) {
    throw new UnsupportedOperationException();
  }
}
