package dev.uplift.activities.device;

import dev.uplift.fleet.HostId;
import dev.uplift.fleet.Progress;
import dev.uplift.store.DeviceRow;
import dev.uplift.store.Devices;
import dev.uplift.store.UpgradeEnd;
import dev.uplift.store.UpgradeRow;
import dev.uplift.workflows.device.HostReport;
import dev.uplift.workflows.device.Revert;
import dev.uplift.workflows.device.Revert.Before;
import java.util.List;
import java.util.stream.Stream;

/// What it takes to take an upgrade back that is done, from the records: which hosts it left on its
/// release, and what each ran before.
public final class Reverts {
  private final Devices devices;

  public Reverts(Devices devices) {
    this.devices = devices;
  }

  /// Whether there is something to be taken back.
  public sealed interface Found {
    /// There is, on these hosts.
    ///
    /// @param hosts in the order in which they were upgraded
    record Something(List<HostId> hosts, Revert revert) implements Found {}

    /// There is not.
    ///
    /// @param why for people, with the upgrade's id
    record Nothing(String why) implements Found {}
  }

  public Found of(UpgradeRow done) {
    if (done.revertOf().isPresent()) {
      return new Found.Nothing(
          "%s; to go forward again, start an upgrade to %s"
              .formatted(done.inWords(), done.release()));
    }
    return done.end()
        .map(end -> of(done, end))
        .orElseGet(() ->
            new Found.Nothing(
                "the upgrade %s runs; abort it, which takes it back".formatted(done.id())));
  }

  private Found of(UpgradeRow done, UpgradeEnd end) {
    List<HostId> there = devices.find(done.device()).map(DeviceRow::hosts).orElse(List.of());
    List<HostReport> left =
        Stream.of(Texts.read(end.hosts(), HostReport[].class))
            .filter(host -> mayRun(host.progress()) && there.contains(host.host()))
            .toList();
    return left.isEmpty()
        ? new Found.Nothing(
            "the upgrade %s ended as %s and left no host of %s on %s"
                .formatted(done.id(), end.outcome(), done.device().name(), done.release()))
        : new Found.Something(
            left.stream().map(HostReport::host).toList(), new Revert(done.id(), before(left)));
  }

  /// One that did not go back when it should have may do so now.
  private static boolean mayRun(Progress progress) {
    return switch (progress) {
      case UPGRADED, TOUCHED, STRANDED -> true;
      case UNTOUCHED, ROLLED_BACK -> false;
    };
  }

  private static List<Before> before(List<HostReport> hosts) {
    return hosts.stream()
        .flatMap(host -> host.before().map(version -> new Before(host.host(), version)).stream())
        .toList();
  }
}
