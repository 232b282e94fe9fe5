package dev.uplift.activities.device;

import dev.uplift.fleet.HostId;
import dev.uplift.fleet.Progress;
import dev.uplift.store.DeviceRow;
import dev.uplift.store.Devices;
import dev.uplift.store.PageRequest;
import dev.uplift.store.UpgradeEnd;
import dev.uplift.store.UpgradeFilter;
import dev.uplift.store.UpgradeRow;
import dev.uplift.store.Upgrades;
import dev.uplift.workflows.device.HostReport;
import dev.uplift.workflows.device.Revert;
import dev.uplift.workflows.device.Revert.Before;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// What it takes to take an upgrade back that is done, from the records: which hosts it left on its
/// release, and what each ran before.
public final class Reverts {
  private static final PageRequest PAGE = PageRequest.first(50);

  private final Devices devices;
  private final Upgrades upgrades;

  public Reverts(Devices devices, Upgrades upgrades) {
    this.devices = devices;
    this.upgrades = upgrades;
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
    if (left.isEmpty()) {
      return new Found.Nothing(
          "the upgrade %s ended as %s and left no host of %s on %s"
              .formatted(done.id(), end.outcome(), done.device().name(), done.release()));
    }
    List<UpgradeRow> later = later(done);
    return left.stream()
        .flatMap(host -> tooFar(done, host, later).stream())
        .findFirst()
        .<Found>map(Found.Nothing::new)
        .orElseGet(() ->
            new Found.Something(
                left.stream().map(HostReport::host).toList(), new Revert(done.id(), before(left))));
  }

  /// Upgrades of the same package that came after it, newest first; not what took one back.
  private List<UpgradeRow> later(UpgradeRow done) {
    var filter =
        new UpgradeFilter(
            Optional.of(done.device().name()),
            Optional.of(done.release().packageName()),
            Optional.empty(),
            Optional.empty(),
            Optional.of(false));
    // Who has been upgraded fifty times since has moved on, which is found out elsewhere.
    return upgrades.list(done.device().tenant(), filter, PAGE).rows().stream()
        .takeWhile(row -> !row.id().equals(done.id()))
        .filter(row -> row.revertOf().isEmpty())
        .toList();
  }

  /// A host goes back one step, to where its last upgrade set out from: its agent sees to that,
  /// whatever we say. So what was done before an upgrade that worked is not taken back, though that
  /// one was. Where it is not certain, the host decides.
  private static Optional<String> tooFar(UpgradeRow done, HostReport host, List<UpgradeRow> later) {
    List<HostReport> touched =
        later.stream()
            .flatMap(row -> Stream.of(Texts.read(hosts(row), HostReport[].class)))
            .filter(
                each -> each.host().equals(host.host()) && each.progress() != Progress.UNTOUCHED)
            .toList();
    if (touched.stream().noneMatch(each -> each.progress() == Progress.UPGRADED)) {
      return Optional.empty();
    }
    return touched
        .getFirst()
        .before()
        .filter(from -> host.before().filter(from::equals).isEmpty())
        .map(from ->
            ("%s was upgraded from %s to something else since %s, and a host goes back one step:"
                    + " to go further, start an upgrade that allows a downgrade, to a release that"
                    + " is signed for it")
                .formatted(host.host(), from, done.id()));
  }

  private static String hosts(UpgradeRow row) {
    return row.end().map(UpgradeEnd::hosts).orElse("[]");
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
