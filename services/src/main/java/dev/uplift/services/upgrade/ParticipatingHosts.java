package dev.uplift.services.upgrade;

import dev.uplift.fleet.HostId;
import dev.uplift.store.device.DeviceRow;
import dev.uplift.store.device.HostRepository;
import dev.uplift.store.device.HostSoftware;
import java.util.Collection;
import java.util.List;

/// Decides which hosts of a device take part in an upgrade of a package: those that have it. An agent reports all
/// packages of its host, also those whose version it cannot tell, so a host that has reported others has it not.
///
/// A host that has reported nothing yet takes part. If no host has the package all of them do, and each says so.
public final class ParticipatingHosts {
  private ParticipatingHosts() {}

  /// Returns the hosts that take part, in their order. One statement, and none for a device with one host.
  public static List<HostId> load(HostRepository hosts, DeviceRow device, String packageName) {
    return device.hosts().size() < 2
        ? device.hosts()
        : of(device.hosts(), hosts.findSoftware(device.id()), packageName);
  }

  /// Returns those of `hosts` that take part, in their order.
  ///
  /// @param rows what hosts have reported, of these and maybe of others
  public static List<HostId> of(List<HostId> hosts, Collection<HostSoftware> rows, String packageName) {
    List<HostId> participating =
        hosts.stream()
            .filter(host -> rows.stream().noneMatch(row -> row.host().equals(host) && lacks(row, packageName)))
            .toList();
    return participating.isEmpty() ? hosts : participating;
  }

  private static boolean lacks(HostSoftware row, String packageName) {
    return !row.versions().isEmpty()
        && !row.versions().containsKey(packageName)
        && row.infoVersions().filter(said -> said.containsKey(packageName)).isEmpty();
  }
}
