package dev.uplift.services.rollout;

import dev.uplift.fleet.rollout.plan.PlanViolation;
import dev.uplift.fleet.rollout.wave.Wave;
import dev.uplift.fleet.window.PlannedStart;
import dev.uplift.services.rollout.RolloutPreview.WavePreview;
import dev.uplift.store.rollout.RolloutMembership;
import dev.uplift.store.rollout.RolloutMembership.NewWave;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// A rollout spec evaluated against the fleet.
sealed interface PreparedRollout {
  int SAMPLE_SIZE = 5;

  record Invalid(List<PlanViolation> faults) implements PreparedRollout {
    public Invalid {
      faults = List.copyOf(faults);
    }
  }

  /// It fits.
  ///
  /// @param spec with its waves, also the default ones
  record Valid(RolloutSpec spec, List<Wave> waves, SelectionResult selected, ExclusionRules exclusionRules)
      implements PreparedRollout {
    public Valid {
      waves = List.copyOf(waves);
    }

    RolloutMembership membership() {
      return new RolloutMembership(
          waves.stream()
              .map(wave -> new NewWave(wave.number(), wave.specIndex(), wave.title(), wave.devices()))
              .toList(),
          selected.excluded());
    }

    RolloutPreview preview() {
      Set<String> first = new HashSet<>(waves.getFirst().devices());
      return new RolloutPreview(
          selected.participants().size(),
          waves.stream().map(Valid::preview).toList(),
          selected.excluded(),
          selected.participants().stream()
              .filter(deviceSnapshot -> first.contains(deviceSnapshot.name()))
              .flatMap(deviceSnapshot -> firstStart(deviceSnapshot).stream())
              .min(Comparator.naturalOrder())
              .orElse(exclusionRules.earliestStart()),
          selected.participants().stream()
              .flatMap(deviceSnapshot -> firstStart(deviceSnapshot).stream())
              .max(Comparator.naturalOrder())
              .filter(exclusionRules.earliestStart()::isBefore),
          selected.warnings());
    }

    private static WavePreview preview(Wave wave) {
      return new WavePreview(
          wave.number(), wave.title(), wave.devices().size(), wave.devices().stream().limit(SAMPLE_SIZE).toList());
    }

    private Optional<Instant> firstStart(DeviceSnapshot deviceSnapshot) {
      return exclusionRules.firstStart(deviceSnapshot) instanceof PlannedStart.At(Instant at, _)
          ? Optional.of(at)
          : Optional.empty();
    }
  }
}
