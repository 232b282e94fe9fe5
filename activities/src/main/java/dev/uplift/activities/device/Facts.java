package dev.uplift.activities.device;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.uplift.activities.links.Tables;
import dev.uplift.activities.presence.HeardBeat;
import dev.uplift.activities.presence.Presence;
import dev.uplift.fleet.DeviceId;
import dev.uplift.fleet.Findings;
import dev.uplift.fleet.HostId;
import dev.uplift.fleet.HostState;
import dev.uplift.fleet.Release;
import dev.uplift.protocol.AgentInfo;
import dev.uplift.protocol.ReleaseManifest;
import dev.uplift.store.DeviceRow;
import dev.uplift.store.Devices;
import dev.uplift.store.Hold;
import dev.uplift.store.HostInfo;
import dev.uplift.store.HostRow;
import dev.uplift.store.Hosts;
import dev.uplift.store.ReleaseRow;
import dev.uplift.store.Releases;
import dev.uplift.store.UpgradeEnd;
import dev.uplift.store.UpgradeRow;
import dev.uplift.store.Upgrades;
import dev.uplift.workflows.device.UpgradePlan;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/// Gathers what speaks for or against beginning an upgrade. What it means is decided elsewhere.
final class Facts {
  private final Devices devices;
  private final Hosts hosts;
  private final Releases releases;
  private final Upgrades upgrades;
  private final Presence presence;

  Facts(Tables tables, Presence presence) {
    this.devices = tables.devices();
    this.hosts = tables.hosts();
    this.releases = tables.releases();
    this.upgrades = tables.upgrades();
    this.presence = presence;
  }

  Findings of(UpgradePlan plan, ReleaseRow release) {
    ReleaseManifest manifest = ReleaseManifest.read(release.text().getBytes(UTF_8));
    return new Findings(
        plan.hosts().stream().map(host -> host(plan, host)).toList(),
        release.kind(),
        release.sequence(),
        Set.copyOf(manifest.installsOver()),
        held(plan.device()),
        upgrades.failedBefore(plan.device(), plan.release()).map(Facts::inWords));
  }

  Optional<ReleaseRow> release(UpgradePlan plan) {
    return releases.find(plan.device().tenant(), plan.release());
  }

  private Findings.Host host(UpgradePlan plan, HostId host) {
    String tenant = plan.device().tenant();
    Findings.Host found =
        host(
            host,
            plan.release().packageName(),
            hosts.find(tenant, host),
            presence.speaker(tenant, host),
            release -> releases.find(tenant, release).map(ReleaseRow::sequence));
    return presence.duplicate(tenant, host).map(found::twice).orElse(found);
  }

  static Findings.Host host(
      HostId host,
      String packageName,
      Optional<HostRow> row,
      Optional<HeardBeat> newest,
      Function<Release, Optional<Long>> sequences) {
    Optional<HeardBeat> beat = newest.filter(HeardBeat::isFromRunningAgent);
    String version =
        beat.map(heard -> heard.beat().versions().get(packageName))
            .or(() -> row.map(said -> said.versions().get(packageName)))
            .orElse(HostState.UNKNOWN);
    return new Findings.Host(
        host,
        version,
        beat.map(heard -> heard.beat().trial()).orElse(false),
        sequences.apply(new Release(packageName, version)),
        row.flatMap(HostRow::info).map(Facts::kinds));
  }

  /// An agent that speaks another protocol can do nothing for us.
  private static Set<String> kinds(HostInfo info) {
    return AgentInfo.read(info.text().getBytes(UTF_8)).protocol() == AgentInfo.PROTOCOL
        ? Set.copyOf(info.drivers())
        : Set.of();
  }

  private Optional<String> held(DeviceId device) {
    Optional<DeviceRow> row = devices.find(device);
    return row.isEmpty()
        ? Optional.of(device + " is not in the records any more")
        : row.get().heldAt(Instant.now()).map(Facts::inWords);
  }

  static String inWords(Hold hold) {
    return "held by %s%s: %s"
        .formatted(
            hold.by(), hold.until().map(until -> " until " + until).orElse(""), hold.reason());
  }

  static String inWords(UpgradeRow row) {
    return "upgrade %s ended as %s%s"
        .formatted(
            row.id(),
            row.end().map(end -> end.outcome().toString()).orElse("unknown"),
            row.end().flatMap(UpgradeEnd::why).map(why -> ", " + why.text()).orElse(""));
  }
}
