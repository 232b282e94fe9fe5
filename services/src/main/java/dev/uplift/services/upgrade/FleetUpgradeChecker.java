package dev.uplift.services.upgrade;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.uplift.fleet.DeviceFacts;
import dev.uplift.fleet.HostId;
import dev.uplift.fleet.Outcome;
import dev.uplift.fleet.Release;
import dev.uplift.fleet.RequestedUpgrade;
import dev.uplift.fleet.UpgradeCheck;
import dev.uplift.protocol.ReleaseManifest;
import dev.uplift.services.Repositories;
import dev.uplift.services.presence.HostPresence;
import dev.uplift.store.Page;
import dev.uplift.store.PageRequest;
import dev.uplift.store.device.DeviceRow;
import dev.uplift.store.device.Hold;
import dev.uplift.store.device.HostRow;
import dev.uplift.store.release.ReleaseRow;
import dev.uplift.store.upgrade.UpgradeEnd;
import dev.uplift.store.upgrade.UpgradeFilter;
import dev.uplift.store.upgrade.UpgradeRow;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Checks the devices of a whole fleet by the rule and the facts of a single upgrade: reads the facts once and checks
/// device by device. For one thread and one release.
public final class FleetUpgradeChecker {
  private static final PageRequest PAGE = PageRequest.first(PageRequest.MAX_LIMIT);
  private static final Set<Outcome> FAILED =
      Set.of(Outcome.PREPARE_FAILED, Outcome.ROLLED_BACK, Outcome.PARTIAL, Outcome.STRANDED);

  private final Repositories repositories;
  private final HostPresence presence;
  private final ReleaseRow release;
  private final Set<String> installsOver;
  private final Map<String, String> failedBefore = new HashMap<>();
  private final Map<Release, Optional<Long>> sequences = new HashMap<>();

  private FleetUpgradeChecker(Repositories repositories, HostPresence presence, ReleaseRow release) {
    this.repositories = repositories;
    this.presence = presence;
    this.release = release;
    this.installsOver = Set.copyOf(ReleaseManifest.read(release.manifest().getBytes(UTF_8)).installsOver());
  }

  public static FleetUpgradeChecker load(Repositories repositories, HostPresence presence, ReleaseRow release) {
    var checker = new FleetUpgradeChecker(repositories, presence, release);
    checker.loadFailures();
    return checker;
  }

  /// Reads the newest upgrade of each device that shows whether the release works there.
  private void loadFailures() {
    var filter =
        new UpgradeFilter(
            Optional.empty(),
            Optional.of(release.release().packageName()),
            Optional.of(release.release().version()),
            Optional.empty(),
            Optional.of(false));
    Map<String, Optional<String>> newest = new HashMap<>();
    Optional<PageRequest> next = Optional.of(PAGE);
    while (next.isPresent()) {
      Page<UpgradeRow> page = repositories.upgrades().list(release.tenant(), filter, next.get());
      for (UpgradeRow row : page.rows()) {
        row.end()
            .filter(_ -> row.revertOf().isEmpty())
            .flatMap(end -> failureOf(row, end))
            .ifPresent(found -> newest.putIfAbsent(row.device().name(), found));
      }
      next = PAGE.next(page);
    }
    newest.forEach((device, why) -> why.ifPresent(text -> failedBefore.put(device, text)));
  }

  /// Empty: it shows nothing about the release. An inner empty: it succeeded.
  private static Optional<Optional<String>> failureOf(UpgradeRow row, UpgradeEnd end) {
    if (end.isSuccess()) {
      return Optional.of(Optional.empty());
    }
    boolean blames =
        FAILED.contains(end.outcome())
            && end.reason().filter(endReason -> endReason.kind().equals("error")).isPresent();
    return blames ? Optional.of(Optional.of(DeviceFactsLoader.describe(row))) : Optional.empty();
  }

  /// Returns what the workflow would decide at its start.
  public UpgradeCheck check(DeviceRow device, List<HostRow> hosts, boolean allowDowngrade) {
    return UpgradeCheck.of(
        new RequestedUpgrade(release.release(), false, allowDowngrade),
        new DeviceFacts(
            device.hosts().stream().map(host -> host(host, hosts)).toList(),
            release.kind(),
            release.sequence(),
            installsOver,
            device.activeHold(Instant.now()).map(FleetUpgradeChecker::describe),
            Optional.ofNullable(failedBefore.get(device.id().name()))));
  }

  /// For people.
  public static String describe(Hold hold) {
    return DeviceFactsLoader.describe(hold);
  }

  private DeviceFacts.HostFacts host(HostId host, List<HostRow> rows) {
    DeviceFacts.HostFacts found =
        DeviceFactsLoader.host(
            host,
            release.release().packageName(),
            rows.stream().filter(row -> row.host().equals(host)).findFirst(),
            presence.activeInstance(release.tenant(), host),
            of ->
                sequences.computeIfAbsent(
                    of, each -> repositories.releases().find(release.tenant(), each).map(ReleaseRow::sequence)));
    return presence.describeDuplicates(release.tenant(), host).map(found::asDuplicate).orElse(found);
  }
}
