package dev.uplift.api.osupgrade;

import dev.uplift.api.osupgrade.OsUpgradeStateView.LastUpgradeInfoView;
import dev.uplift.api.osupgrade.OsUpgradeStateView.ScheduledWorkerView;
import dev.uplift.api.osupgrade.OsUpgradeStateView.UpgradedHostView;
import dev.uplift.api.upgrades.EndedHostsReader;
import dev.uplift.fleet.Outcome;
import dev.uplift.fleet.window.Window;
import dev.uplift.fleet.window.WindowSchedule;
import dev.uplift.services.window.TenantWindows;
import dev.uplift.store.PageRequest;
import dev.uplift.store.device.DeviceRow;
import dev.uplift.store.device.HostRepository;
import dev.uplift.store.device.HostRow;
import dev.uplift.store.device.LabelWindowRepository;
import dev.uplift.store.policy.PolicyRow;
import dev.uplift.store.upgrade.UpgradeFilter;
import dev.uplift.store.upgrade.UpgradeRepository;
import dev.uplift.store.upgrade.UpgradeRow;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;

/// Reads the state of the OS upgrade, in a number of statements that does not grow with the fleet.
@Singleton
final class OsUpgradeStateReader {
  private final HostRepository hosts;
  private final UpgradeRepository upgrades;
  private final LabelWindowRepository labelWindows;
  private final InstantSource clock;

  OsUpgradeStateReader(
      HostRepository hosts, UpgradeRepository upgrades, LabelWindowRepository labelWindows, InstantSource clock) {
    this.hosts = hosts;
    this.upgrades = upgrades;
    this.labelWindows = labelWindows;
    this.clock = clock;
  }

  /// Returns the state.
  ///
  /// @param site empty: all of them
  OsUpgradeStateView read(PolicyRow policy, Optional<DeviceRow> site, RequestedFields fields) {
    List<Window> windows = OsUpgradeConfig.windows(policy);
    OsUpgradeView config = OsUpgradeView.of(policy.packageName(), windows, fields);
    return new OsUpgradeStateView(
        config.workerApplications(),
        config.maintenanceWindows(),
        fields.ifRequested("status", () -> newest(policy, site, true).isPresent() ? "upgrading" : "idle"),
        fields
            .ifRequested(
                "next-upgrade-in", () -> policy.enabled() ? schedule(windows, site) : Optional.<WindowSchedule>empty())
            .flatMap(schedule -> schedule)
            .flatMap(schedule -> nextUpgradeIn(schedule, clock.instant())),
        fields.ifRequested("scheduled-workers", () -> scheduledWorkers(policy, site)),
        fields
            .ifRequested("last-upgrade-info", () -> newest(policy, site, false))
            .flatMap(row -> row)
            .map(OsUpgradeStateReader::lastUpgradeInfo));
  }

  private Optional<UpgradeRow> newest(PolicyRow policy, Optional<DeviceRow> site, boolean isRunning) {
    var filter =
        new UpgradeFilter(
            site.map(DeviceRow::name),
            Optional.of(policy.packageName()),
            Optional.empty(),
            Optional.empty(),
            Optional.of(isRunning));
    return upgrades.list(policy.tenant(), filter, PageRequest.first(1)).rows().stream().findFirst();
  }

  /// When a site may be upgraded; empty if that cannot be said of all of them together.
  private Optional<WindowSchedule> schedule(List<Window> windows, Optional<DeviceRow> site) {
    if (site.isPresent()) {
      WindowSchedule own = TenantWindows.ofDevice(site.get().spec(), labelWindows);
      return Optional.of(windows.isEmpty() ? own : own.withLevel(windows));
    }
    return !windows.isEmpty() && windows.stream().allMatch(window -> window.timezone().isPresent())
        ? Optional.of(new WindowSchedule(List.of(windows), ZoneOffset.UTC))
        : Optional.empty();
  }

  /// Returns the time to the next opening; nothing while one is open.
  static Optional<String> nextUpgradeIn(WindowSchedule schedule, Instant now) {
    return schedule.nextOpenings(1, now).stream()
        .findFirst()
        .map(opening -> opening.opens().filter(now::isBefore).orElse(now))
        .map(opens -> format(Duration.between(now, opens)));
  }

  /// A span such as `1d4h18s`, in whole seconds.
  static String format(Duration span) {
    var text = new StringBuilder();
    append(text, span.toDaysPart(), 'd');
    append(text, span.toHoursPart(), 'h');
    append(text, span.toMinutesPart(), 'm');
    append(text, span.toSecondsPart(), 's');
    return text.isEmpty() ? "0s" : text.toString();
  }

  private static void append(StringBuilder text, long number, char unit) {
    if (number != 0) {
      text.append(number).append(unit);
    }
  }

  private List<ScheduledWorkerView> scheduledWorkers(PolicyRow policy, Optional<DeviceRow> site) {
    List<HostRow> found =
        site.map(device ->
                hosts.findByDevices(policy.tenant(), List.of(device.name())).getOrDefault(device.name(), List.of()))
            .orElseGet(() ->
                hosts
                    .listWithPackage(policy.tenant(), policy.packageName(), PageRequest.first(PageRequest.MAX_LIMIT))
                    .rows());
    return found.stream()
        .filter(row -> row.versions().containsKey(policy.packageName()))
        .map(row -> new ScheduledWorkerView(row.host().value(), policy.packageName()))
        .toList();
  }

  private static LastUpgradeInfoView lastUpgradeInfo(UpgradeRow row) {
    Outcome outcome = row.outcome().orElseThrow();
    return new LastUpgradeInfoView(
        row.startedAt(),
        row.endedAt().orElseThrow(),
        outcome.isSuccess(row.revertOf().isPresent()) ? "completed" : outcome.toString(),
        EndedHostsReader.read(row.hostReports() == null ? "[]" : row.hostReports()).stream()
            .map(host -> new UpgradedHostView(host.host(), host.progress()))
            .toList());
  }
}
