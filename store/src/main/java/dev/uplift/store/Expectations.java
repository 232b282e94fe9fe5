package dev.uplift.store;

import dev.uplift.fleet.HostId;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/// The table `expectation`: at most one row per host, for a device has one upgrade at a time.
@SuppressWarnings("DoNotCallSuggester")
public final class Expectations {
  public Expectations(Database database, InstantSource clock) {}

  /// From now on this is waited for. Replaces what was waited for on this host.
  ///
  /// @throws NoSuchTenant if there is none for it
  public void put(Expectation expectation) {
    throw new UnsupportedOperationException();
  }

  public Optional<Expectation> find(String tenant, HostId host) {
    throw new UnsupportedOperationException();
  }

  /// Of all tenants. There are no more than hosts that are waited for, so who sees every beat asks
  /// this now and then rather than [#find] at each.
  public List<Expectation> all() {
    throw new UnsupportedOperationException();
  }

  /// Nothing happens if another has taken its place.
  public void remove(Expectation expectation) {
    throw new UnsupportedOperationException();
  }
}
