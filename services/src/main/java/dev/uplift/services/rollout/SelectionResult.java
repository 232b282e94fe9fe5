package dev.uplift.services.rollout;

import dev.uplift.fleet.rollout.plan.PlanViolation;
import dev.uplift.fleet.rollout.wave.DeviceMatcher;
import dev.uplift.fleet.rollout.wave.SelectedDevice;
import dev.uplift.services.presence.HostPresence;
import dev.uplift.services.presence.PresenceStatus;
import dev.uplift.services.selection.Selection;
import dev.uplift.store.rollout.RolloutMembership.ExcludedDevice;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/// The devices that a selection takes of a fleet, and those that participate.
///
/// @param totalCount so many devices there are
/// @param selectedCount so many the selection is true of
/// @param participants selected devices that take part
/// @param excluded selected devices that do not, by name
/// @param notEvaluated how many devices could not be asked, by why
public record SelectionResult(
    int totalCount,
    int selectedCount,
    List<DeviceSnapshot> participants,
    List<ExcludedDevice> excluded,
    Map<String, Integer> notEvaluated) {

  /// Reasons that another version would not have.
  private static final Set<String> RELEASE_REASONS = Set.of("wrong-version", "downgrade", "no-driver");

  public static SelectionResult of(List<DeviceSnapshot> fleet, Selection selection, ExclusionRules exclusionRules) {
    List<DeviceSnapshot> participants = new ArrayList<>();
    List<ExcludedDevice> out = new ArrayList<>();
    Map<String, Integer> unasked = new TreeMap<>();
    for (DeviceSnapshot deviceSnapshot : fleet) {
      switch (selection.evaluate(deviceSnapshot.selectable())) {
        case Selection.Evaluation.Unknown(String why) -> unasked.merge(why, 1, Integer::sum);
        case Selection.Evaluation.Known(boolean yes) -> {
          if (yes) {
            exclusionRules
                .exclusionOf(deviceSnapshot)
                .ifPresentOrElse(out::add, () -> participants.add(deviceSnapshot));
          }
        }
      }
    }
    return new SelectionResult(fleet.size(), participants.size() + out.size(), participants, out, unasked);
  }

  public List<SelectedDevice> members(HostPresence presence) {
    return participants.stream()
        .map(deviceSnapshot ->
            new SelectedDevice(
                deviceSnapshot.name(), deviceSnapshot.device().spec().labels(), isHeard(deviceSnapshot, presence)))
        .toList();
  }

  private static boolean isHeard(DeviceSnapshot deviceSnapshot, HostPresence presence) {
    String tenant = deviceSnapshot.device().id().tenant();
    return deviceSnapshot.device().hosts().stream()
        .allMatch(host -> presence.status(tenant, host) instanceof PresenceStatus.Alive);
  }

  /// For the expressions of waves, each of which has been compiled.
  public DeviceMatcher matcher(Map<String, Selection> expressions) {
    Map<String, DeviceSnapshot> byName = new HashMap<>();
    participants.forEach(deviceSnapshot -> byName.put(deviceSnapshot.name(), deviceSnapshot));
    return (expression, selectedDevice) -> {
      Selection selection = expressions.get(expression);
      DeviceSnapshot deviceSnapshot = byName.get(selectedDevice.device());
      return selection != null && deviceSnapshot != null && selection.matches(deviceSnapshot.selectable());
    };
  }

  /// Why no device takes part: because of the release, if that is the reason for all of them.
  PlanViolation noParticipantsFault(String release) {
    ExcludedDevice one = excluded.getFirst();
    return excluded.stream().allMatch(out -> RELEASE_REASONS.contains(out.reason()))
        ? new PlanViolation(
            "/version",
            "%s can be installed on none of the %d devices that are selected, %s for one: %s"
                .formatted(release, selectedCount, one.device(), one.detail()))
        : new PlanViolation(
            "/selection",
            "takes %d devices and none of them takes part, %s for one: %s; expected at least one"
                .formatted(selectedCount, one.device(), one.detail()));
  }

  List<String> warnings() {
    return notEvaluated.entrySet().stream()
        .map(entry ->
            entry.getValue() == 1
                ? "1 device has %s and is not selected".formatted(entry.getKey())
                : "%d devices have %s and are not selected".formatted(entry.getValue(), entry.getKey()))
        .toList();
  }
}
