package dev.uplift.services.upgrade;

import dev.uplift.fleet.HostId;
import dev.uplift.fleet.Progress;
import dev.uplift.store.PageRequest;
import dev.uplift.store.device.DeviceRepository;
import dev.uplift.store.device.DeviceRow;
import dev.uplift.store.upgrade.UpgradeEnd;
import dev.uplift.store.upgrade.UpgradeFilter;
import dev.uplift.store.upgrade.UpgradeRepository;
import dev.uplift.store.upgrade.UpgradeRow;
import jakarta.inject.Singleton;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Plans the revert of a finished upgrade from the records: which hosts it left on its release, and what each ran
/// before.
@Singleton
public final class RevertPlanner {
  private static final PageRequest PAGE = PageRequest.first(50);

  private final DeviceRepository devices;
  private final UpgradeRepository upgrades;

  public RevertPlanner(DeviceRepository devices, UpgradeRepository upgrades) {
    this.devices = devices;
    this.upgrades = upgrades;
  }

  /// Returns whether there is something to revert.
  public sealed interface Revertibility {
    /// There is, on these hosts.
    ///
    /// @param hosts in the order in which they were upgraded
    /// @param upgrade the id of the upgrade to revert
    /// @param versionsBefore what the hosts ran before it, where it is recorded
    record Revertible(List<HostId> hosts, String upgrade, Map<HostId, String> versionsBefore)
        implements Revertibility {}

    /// There is not.
    ///
    /// @param reason for people, with the upgrade's id
    record NotRevertible(String reason) implements Revertibility {}
  }

  public Revertibility plan(UpgradeRow done) {
    if (done.revertOf().isPresent()) {
      return new Revertibility.NotRevertible(
          "%s; to go forward again, start an upgrade to %s".formatted(done.describe(), done.release()));
    }
    return done.end()
        .map(end -> plan(done, end))
        .orElseGet(() ->
            new Revertibility.NotRevertible("the upgrade %s runs; abort it, which rolls it back".formatted(done.id())));
  }

  private Revertibility plan(UpgradeRow done, UpgradeEnd end) {
    List<HostId> there = devices.find(done.device()).map(DeviceRow::hosts).orElse(List.of());
    List<HostOutcome> left =
        HostOutcome.read(end.hostReports()).stream()
            .filter(host -> mayRunRelease(host.progress()) && there.contains(host.host()))
            .toList();
    if (left.isEmpty()) {
      return new Revertibility.NotRevertible(
          "the upgrade %s ended as %s and left no host of %s on %s"
              .formatted(done.id(), end.outcome(), done.device().name(), done.release()));
    }
    List<UpgradeRow> later = laterUpgrades(done);
    return left.stream()
        .flatMap(host -> blockedByLaterUpgrade(done, host, later).stream())
        .findFirst()
        .<Revertibility>map(Revertibility.NotRevertible::new)
        .orElseGet(() ->
            new Revertibility.Revertible(
                left.stream().map(HostOutcome::host).toList(), done.id(), versionsBefore(left)));
  }

  /// Upgrades of the same package that came after it, newest first, without reverts.
  private List<UpgradeRow> laterUpgrades(UpgradeRow done) {
    var filter =
        new UpgradeFilter(
            Optional.of(done.device().name()),
            Optional.of(done.release().packageName()),
            Optional.empty(),
            Optional.empty(),
            Optional.of(false));
    // More than fifty later upgrades are not read: the host runs something else, which is found
    // later.
    return upgrades.list(done.device().tenant(), filter, PAGE).rows().stream()
        .takeWhile(row -> !row.id().equals(done.id()))
        .filter(row -> row.revertOf().isEmpty())
        .toList();
  }

  /// Agents roll back one step only, to the version before the last upgrade. So an upgrade before a later one that
  /// succeeded cannot be reverted, even if that one was reverted. If it is not certain, the host decides.
  private static Optional<String> blockedByLaterUpgrade(UpgradeRow done, HostOutcome host, List<UpgradeRow> later) {
    List<HostOutcome> touched =
        later.stream()
            .flatMap(row -> HostOutcome.read(hosts(row)).stream())
            .filter(each -> each.host().equals(host.host()) && each.progress() != Progress.UNCHANGED)
            .toList();
    if (touched.stream().noneMatch(each -> each.progress() == Progress.UPGRADED)) {
      return Optional.empty();
    }
    return touched
        .getFirst()
        .versionBefore()
        .filter(from -> host.versionBefore().filter(from::equals).isEmpty())
        .map(from ->
            ("%s was upgraded from %s to something else since %s, and a host rolls back one step:"
                    + " to go further, start an upgrade that allows a downgrade, to a release that"
                    + " is signed for it")
                .formatted(host.host(), from, done.id()));
  }

  private static String hosts(UpgradeRow row) {
    return row.end().map(UpgradeEnd::hostReports).orElse("[]");
  }

  /// A host that failed to roll back may be reverted now.
  private static boolean mayRunRelease(Progress progress) {
    return switch (progress) {
      case UPGRADED, CHANGED, STRANDED -> true;
      case UNCHANGED, ROLLED_BACK -> false;
    };
  }

  private static Map<HostId, String> versionsBefore(List<HostOutcome> hosts) {
    Map<HostId, String> versions = new LinkedHashMap<>();
    hosts.forEach(host -> host.versionBefore().ifPresent(version -> versions.put(host.host(), version)));
    return versions;
  }
}
