package dev.uplift.activities.device;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.uplift.activities.links.Tables;
import dev.uplift.activities.presence.Presence;
import dev.uplift.fleet.Check;
import dev.uplift.fleet.Findings;
import dev.uplift.fleet.HostId;
import dev.uplift.fleet.Outcome;
import dev.uplift.fleet.Release;
import dev.uplift.fleet.Wish;
import dev.uplift.protocol.ReleaseManifest;
import dev.uplift.store.DeviceRow;
import dev.uplift.store.Hold;
import dev.uplift.store.HostRow;
import dev.uplift.store.Page;
import dev.uplift.store.PageRequest;
import dev.uplift.store.ReleaseRow;
import dev.uplift.store.UpgradeEnd;
import dev.uplift.store.UpgradeFilter;
import dev.uplift.store.UpgradeRow;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// The same facts as a single upgrade is begun on, for a whole fleet at once: read once, and asked
/// for device by device. For one thread and one release.
public final class FleetFacts {
  private static final PageRequest PAGE = PageRequest.first(PageRequest.MOST);
  private static final Set<Outcome> FAILED =
      Set.of(Outcome.PREPARE_FAILED, Outcome.ROLLED_BACK, Outcome.PARTIAL, Outcome.STRANDED);

  private final Tables tables;
  private final Presence presence;
  private final ReleaseRow release;
  private final Set<String> installsOver;
  private final Map<String, String> failedBefore = new HashMap<>();
  private final Map<Release, Optional<Long>> sequences = new HashMap<>();

  private FleetFacts(Tables tables, Presence presence, ReleaseRow release) {
    this.tables = tables;
    this.presence = presence;
    this.release = release;
    this.installsOver =
        Set.copyOf(ReleaseManifest.read(release.text().getBytes(UTF_8)).installsOver());
  }

  public static FleetFacts read(Tables tables, Presence presence, ReleaseRow release) {
    var facts = new FleetFacts(tables, presence, release);
    facts.readFailures();
    return facts;
  }

  /// The newest upgrade of each device that says whether the release works there.
  private void readFailures() {
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
      Page<UpgradeRow> page = tables.upgrades().list(release.tenant(), filter, next.get());
      for (UpgradeRow row : page.rows()) {
        row.end()
            .filter(_ -> row.revertOf().isEmpty())
            .flatMap(end -> judged(row, end))
            .ifPresent(found -> newest.putIfAbsent(row.device().name(), found));
      }
      next = PAGE.after(page);
    }
    newest.forEach((device, why) -> why.ifPresent(text -> failedBefore.put(device, text)));
  }

  /// Empty: it says nothing about the release. Of one that succeeded, no words.
  private static Optional<Optional<String>> judged(UpgradeRow row, UpgradeEnd end) {
    if (end.isSuccess()) {
      return Optional.of(Optional.empty());
    }
    boolean blames =
        FAILED.contains(end.outcome())
            && end.why().filter(why -> why.kind().equals("error")).isPresent();
    return blames ? Optional.of(Optional.of(Facts.inWords(row))) : Optional.empty();
  }

  /// What the workflow would decide at its beginning.
  public Check check(DeviceRow device, List<HostRow> hosts, boolean allowDowngrade) {
    return Check.of(
        new Wish(release.release(), false, allowDowngrade),
        new Findings(
            device.hosts().stream().map(host -> host(host, hosts)).toList(),
            release.kind(),
            release.sequence(),
            installsOver,
            device.heldAt(Instant.now()).map(FleetFacts::inWords),
            Optional.ofNullable(failedBefore.get(device.id().name()))));
  }

  /// For people.
  public static String inWords(Hold hold) {
    return Facts.inWords(hold);
  }

  private Findings.Host host(HostId host, List<HostRow> rows) {
    Findings.Host found =
        Facts.host(
            host,
            release.release().packageName(),
            rows.stream().filter(row -> row.host().equals(host)).findFirst(),
            presence.speaker(release.tenant(), host),
            of ->
                sequences.computeIfAbsent(
                    of,
                    each ->
                        tables.releases().find(release.tenant(), each).map(ReleaseRow::sequence)));
    return presence.duplicate(release.tenant(), host).map(found::twice).orElse(found);
  }
}
