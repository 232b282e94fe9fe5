package dev.uplift.fleet.rollout.wave;

import dev.uplift.fleet.rollout.Phrases;
import dev.uplift.fleet.rollout.plan.RolloutPlan;
import dev.uplift.fleet.rollout.plan.ViolationCollector;
import dev.uplift.fleet.rollout.plan.WaveSize.Count;
import dev.uplift.fleet.rollout.plan.WaveSize.Matching;
import dev.uplift.fleet.rollout.plan.WaveSize.PerValue;
import dev.uplift.fleet.rollout.plan.WaveSize.Percent;
import dev.uplift.fleet.rollout.plan.WaveSize.Rest;
import dev.uplift.fleet.rollout.plan.WaveSpec;
import dev.uplift.fleet.rollout.wave.WaveAssignment.Assigned;
import dev.uplift.fleet.rollout.wave.WaveAssignment.Refused;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.TreeMap;

/// Deals devices out to waves.
final class WaveAssigner {
  private final StableShuffle order;
  private final DeviceMatcher matcher;
  private final int deviceCount;
  private final SequencedMap<String, SelectedDevice> unassigned = new LinkedHashMap<>();
  private final List<Wave> waves = new ArrayList<>();
  private final ViolationCollector violations = ViolationCollector.create();

  /// Of a hundred, all percentages so far.
  private int percent;

  WaveAssigner(String salt, List<SelectedDevice> members, DeviceMatcher matcher) {
    this.order = new StableShuffle(salt);
    this.matcher = matcher;
    this.deviceCount = members.size();
    order.shuffle(members.stream()).forEach(selectedDevice -> unassigned.put(selectedDevice.device(), selectedDevice));
  }

  WaveAssignment assign(List<WaveSpec> specs) {
    for (int place = 0; place < specs.size(); place++) {
      WaveSpec spec = specs.get(place);
      if (spec.size() instanceof PerValue(String label)) {
        addWavePerValue(place, spec, label);
      } else {
        addWave(place, spec, Optional.empty(), selectFor(spec));
      }
    }
    requireAllAssigned();
    return violations.violations().isEmpty() ? new Assigned(List.copyOf(waves)) : new Refused(violations.violations());
  }

  private List<SelectedDevice> selectFor(WaveSpec spec) {
    return switch (spec.size()) {
      case Count(int devices) -> selectFirst(devices, spec.spreadOver());
      case Percent(int share) -> selectFirst(countForPercent(share), spec.spreadOver());
      case Matching(String expression) ->
          unassigned.values().stream().filter(selectedDevice -> matcher.matches(expression, selectedDevice)).toList();
      case PerValue _, Rest _ -> List.copyOf(unassigned.values());
    };
  }

  /// Rounded up as a sum, so that percentages that make 100 leave no device over.
  private int countForPercent(int share) {
    int before = rounded(percent);
    percent += share;
    return rounded(percent) - before;
  }

  private int rounded(int share) {
    return Math.toIntExact(((long) deviceCount * share + 99) / 100);
  }

  /// Devices that are heard come first: one that is off proves nothing.
  private List<SelectedDevice> selectFirst(int devices, Optional<String> spreadOver) {
    List<SelectedDevice> heardFirst =
        unassigned.values().stream().sorted(Comparator.comparing(SelectedDevice::heard).reversed()).toList();
    return spreadOver.map(label -> interleaveByLabel(label, heardFirst)).orElse(heardFirst).stream()
        .limit(devices)
        .toList();
  }

  /// One of each value of the label, then the second of each, and so on; those without it last.
  private List<SelectedDevice> interleaveByLabel(String label, List<SelectedDevice> devices) {
    Map<String, Deque<SelectedDevice>> labelled = new TreeMap<>(byHash());
    List<SelectedDevice> without = new ArrayList<>();
    for (SelectedDevice selectedDevice : devices) {
      selectedDevice
          .label(label)
          .ifPresentOrElse(
              value -> labelled.computeIfAbsent(value, _ -> new ArrayDeque<>()).add(selectedDevice),
              () -> without.add(selectedDevice));
    }
    List<SelectedDevice> turns = new ArrayList<>(unassigned.size());
    while (!labelled.isEmpty()) {
      labelled.values().forEach(queue -> turns.add(queue.remove()));
      labelled.values().removeIf(Collection::isEmpty);
    }
    turns.addAll(without);
    return turns;
  }

  /// Not by name, or the first in the alphabet would always go ahead.
  private Comparator<String> byHash() {
    return Comparator.<String>comparingLong(order::key).thenComparing(Comparator.naturalOrder());
  }

  private void addWavePerValue(int place, WaveSpec spec, String label) {
    Map<String, List<SelectedDevice>> byValue = new TreeMap<>();
    for (SelectedDevice selectedDevice : unassigned.values()) {
      selectedDevice
          .label(label)
          .ifPresent(value -> byValue.computeIfAbsent(value, _ -> new ArrayList<>()).add(selectedDevice));
    }
    if (byValue.isEmpty()) {
      addWave(place, spec, Optional.empty(), List.of());
    }
    byValue.forEach((value, members) -> addWave(place, spec, Optional.of(value), members));
    violations.require(
        waves.size() <= RolloutPlan.MAX_WAVES,
        "waves/" + place + "/each_value_of",
        "makes %s; expected a label with fewer values, for there are at most %d waves"
            .formatted(byValue.size() + " waves", RolloutPlan.MAX_WAVES));
  }

  private void addWave(int place, WaveSpec spec, Optional<String> value, List<SelectedDevice> members) {
    violations.require(!members.isEmpty(), "waves/" + place + "/" + spec.size().fieldName(), emptyWaveMessage(spec));
    members.forEach(selectedDevice -> unassigned.remove(selectedDevice.device()));
    int number = waves.size() + 1;
    waves.add(
        new Wave(
            number,
            place,
            spec,
            title(number, spec, value),
            value,
            members.stream().map(SelectedDevice::device).toList()));
  }

  private static String title(int number, WaveSpec spec, Optional<String> value) {
    return switch (spec.size()) {
      case Count(int devices) when number == 1 -> devices == 1 ? "canary" : devices + " canaries";
      case PerValue(String label) when value.isPresent() -> label + " = " + value.get();
      default -> spec.size().describe();
    };
  }

  private String emptyWaveMessage(WaveSpec spec) {
    return switch (spec.size()) {
      case Matching _ -> "is true of no device that is in no wave yet; expected at least one";
      case PerValue(String label) ->
          "no device that is in no wave yet has the label %s; expected at least one".formatted(label);
      default ->
          "the waves before it take all %s; expected fewer waves, or smaller ones"
              .formatted(Phrases.devices(deviceCount));
    };
  }

  private void requireAllAssigned() {
    if (!unassigned.isEmpty()) {
      violations.require(
          false,
          "waves",
          "leave over %d of %s, %s for one; expected a last wave {\"rest\": true}"
              .formatted(unassigned.size(), Phrases.devices(deviceCount), unassigned.firstEntry().getKey()));
    }
  }
}
