package dev.uplift.store;

import dev.uplift.fleet.HostId;
import java.time.InstantSource;
import java.util.Collection;
import java.util.Optional;

/// The tables `host`, `host_version` and `host_beat`: what each host last said, and when. Only a
/// copy for lists and counts: whether a host is there now, presence knows.
@SuppressWarnings("DoNotCallSuggester")
public final class Hosts {
  public Hosts(Database database, InstantSource clock) {}

  /// Takes what a host says of itself. One that is on no device is kept too, and shows in lists.
  /// What is older than what is there changes nothing. Returns false if there is no such tenant.
  public boolean said(String tenant, HostId host, HostInfo info) {
    throw new UnsupportedOperationException();
  }

  /// Takes the newest beat of each of many hosts, in one transaction; a thousand at once is a good
  /// number. Beats of hosts that nobody knows, and those older than what is there, are left out.
  public void heard(Collection<Beat> beats) {
    throw new UnsupportedOperationException();
  }

  /// What the host said is gone, and with it the host. Returns false if it is on a device: then
  /// nothing happens. One that goes on speaking appears again.
  public boolean forget(String tenant, HostId host) {
    throw new UnsupportedOperationException();
  }

  public Optional<HostRow> find(String tenant, HostId host) {
    throw new UnsupportedOperationException();
  }

  /// By id, those on no device too.
  public Page<HostRow> list(String tenant, PageRequest page) {
    throw new UnsupportedOperationException();
  }

  public VersionCounts versions(String tenant, String packageName) {
    throw new UnsupportedOperationException();
  }
}
