package dev.uplift.activities.rollout;

import dev.uplift.fleet.RolloutId;
import dev.uplift.fleet.rollout.plan.RolloutPlan;
import dev.uplift.fleet.rollout.plan.WaveSize;
import dev.uplift.fleet.rollout.plan.WaveSpec;
import dev.uplift.fleet.rollout.wave.DeviceMatcher;
import dev.uplift.fleet.rollout.wave.SelectedDevice;
import dev.uplift.fleet.rollout.wave.Wave;
import dev.uplift.fleet.rollout.wave.WaveAssignment;
import dev.uplift.services.presence.HostPresence;
import dev.uplift.services.rollout.DeviceSnapshot;
import dev.uplift.services.rollout.ExclusionRules;
import dev.uplift.services.rollout.RolloutPlanner;
import dev.uplift.services.rollout.RolloutRepositories;
import dev.uplift.services.rollout.RolloutSpec;
import dev.uplift.services.rollout.RolloutWindows;
import dev.uplift.services.rollout.SelectionResult;
import dev.uplift.services.selection.CompiledSelection;
import dev.uplift.services.selection.Selection;
import dev.uplift.services.upgrade.FleetUpgradeChecker;
import dev.uplift.store.Page;
import dev.uplift.store.PageRequest;
import dev.uplift.store.release.ReleaseRow;
import dev.uplift.store.rollout.RolloutRow;
import dev.uplift.store.rollout.TargetFilter;
import dev.uplift.store.rollout.TargetRow;
import dev.uplift.store.rollout.WaveRow;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Supplier;

/// Adds devices to a running rollout that match its selection by now, or whose reason for exclusion is gone. They come
/// last in their wave.
public final class LateJoiners {
  private static final PageRequest PAGE = PageRequest.first(PageRequest.MAX_LIMIT);

  private final RolloutRepositories repositories;
  private final HostPresence presence;

  public LateJoiners(RolloutRepositories repositories, HostPresence presence) {
    this.repositories = repositories;
    this.presence = presence;
  }

  /// Adds whichever devices match. Reads the whole fleet. To be called without the lock of the rollout.
  void addTo(RolloutRow row, RolloutSpec spec) {
    Set<String> members = members(row.id());
    int _ =
        addTo(
            row,
            spec,
            () ->
                DeviceSnapshot.loadAll(repositories.common(), row.id().tenant()).stream()
                    .filter(deviceSnapshot -> !members.contains(deviceSnapshot.name()))
                    .toList(),
            release -> FleetUpgradeChecker.load(repositories.common(), presence, release));
  }

  /// Adds those of these devices that match and take no part yet. To be called without the lock of the rollout.
  ///
  /// @param spec that of the rollout, perhaps with another selection
  ///
  /// @return how many
  public int addTo(RolloutRow row, RolloutSpec spec, Collection<String> devices) {
    return addTo(
        row,
        spec,
        () -> DeviceSnapshot.load(repositories.common(), row.id().tenant(), devices),
        release -> FleetUpgradeChecker.loadWithOffers(repositories.common(), presence, release));
  }

  private int addTo(
      RolloutRow row,
      RolloutSpec spec,
      Supplier<List<DeviceSnapshot>> devices,
      Function<ReleaseRow, FleetUpgradeChecker> checker) {
    RolloutPlan plan = spec.plan();
    Optional<ReleaseRow> release = repositories.common().releases().find(row.id().tenant(), row.release());
    if (release.isEmpty()
        || !(Selection.compile(plan.selection()) instanceof CompiledSelection.Valid(Selection which))) {
      return 0;
    }
    SelectionResult fresh =
        SelectionResult.of(devices.get(), which, exclusionRules(row, spec, checker.apply(release.get())));
    return fresh.participants().isEmpty() ? 0 : addTo(row, plan, fresh);
  }

  private Set<String> members(RolloutId id) {
    Set<String> members = new HashSet<>();
    Optional<PageRequest> next = Optional.of(PAGE);
    while (next.isPresent()) {
      Page<TargetRow> page = repositories.statistics().list(id, TargetFilter.ALL, next.get());
      page.rows().forEach(target -> members.add(target.device()));
      next = PAGE.next(page);
    }
    return members;
  }

  private ExclusionRules exclusionRules(RolloutRow row, RolloutSpec spec, FleetUpgradeChecker checker) {
    return new ExclusionRules(
        spec,
        checker,
        RolloutWindows.of(row.id().tenant(), repositories.labelWindows(), spec.plan()),
        repositories.queue().busyElsewhere(row.id()),
        Instant.now());
  }

  private int addTo(RolloutRow row, RolloutPlan plan, SelectionResult fresh) {
    DeviceMatcher deviceMatcher = fresh.matcher(RolloutPlanner.waveSelections(plan));
    return repositories
        .database()
        .inTransaction(() -> {
          Optional<RolloutRow> now = repositories.rollouts().lock(row.id()).filter(found -> found.endedAt().isEmpty());
          return now.stream()
              .flatMap(found -> assignWaves(found, plan, fresh.members(presence), deviceMatcher).entrySet().stream())
              .mapToInt(wave -> repositories.targets().addTargets(row.id(), wave.getKey(), wave.getValue()))
              .sum();
        });
  }

  private Map<Integer, List<String>> assignWaves(
      RolloutRow row, RolloutPlan plan, List<SelectedDevice> members, DeviceMatcher deviceMatcher) {
    List<Wave> waves = repositories.waves().list(row.id()).stream().map(wave -> toWave(plan, wave)).toList();
    Map<Integer, List<String>> joining = new TreeMap<>();
    for (SelectedDevice selectedDevice : members) {
      int wave = WaveAssignment.waveOfLateJoiner(waves, row.currentWave(), selectedDevice, deviceMatcher);
      joining.computeIfAbsent(wave, _ -> new ArrayList<>()).add(selectedDevice.device());
    }
    return joining;
  }

  private static Wave toWave(RolloutPlan plan, WaveRow row) {
    WaveSpec spec = LockedRollout.waveSpec(plan, row.planIndex(), row.number());
    return new Wave(row.number(), row.planIndex(), spec, row.title(), labelValue(spec, row.title()), List.of());
  }

  /// The title of a wave for a label's value ends with the value.
  private static Optional<String> labelValue(WaveSpec spec, String title) {
    return spec.size() instanceof WaveSize.PerValue(String label) && title.startsWith(label + " = ")
        ? Optional.of(title.substring(label.length() + " = ".length()))
        : Optional.empty();
  }
}
