package dev.uplift.activities.rollout;

import dev.uplift.activities.rollout.Preview.PreviewWave;
import dev.uplift.fleet.rollout.Fault;
import dev.uplift.fleet.rollout.Wave;
import dev.uplift.fleet.window.Start;
import dev.uplift.store.Membership;
import dev.uplift.store.Membership.NewWave;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// A wish held against the fleet.
sealed interface Prepared {
  int SAMPLE = 5;

  record Wrong(List<Fault> faults) implements Prepared {
    public Wrong {
      faults = List.copyOf(faults);
    }
  }

  /// It fits.
  ///
  /// @param wish with its waves, also where nobody wrote them
  record Right(RolloutWish wish, List<Wave> waves, Selected selected, LeavingOut leaving)
      implements Prepared {
    public Right {
      waves = List.copyOf(waves);
    }

    Membership membership() {
      return new Membership(
          waves.stream()
              .map(wave -> new NewWave(wave.number(), wave.place(), wave.title(), wave.devices()))
              .toList(),
          selected.leftOut());
    }

    Preview preview() {
      Set<String> first = new HashSet<>(waves.getFirst().devices());
      return new Preview(
          selected.in().size(),
          waves.stream().map(Right::preview).toList(),
          selected.leftOut(),
          selected.in().stream()
              .filter(site -> first.contains(site.name()))
              .flatMap(site -> start(site).stream())
              .min(Comparator.naturalOrder())
              .orElse(leaving.earliest()),
          selected.in().stream()
              .flatMap(site -> start(site).stream())
              .max(Comparator.naturalOrder())
              .filter(leaving.earliest()::isBefore),
          selected.warnings());
    }

    private static PreviewWave preview(Wave wave) {
      return new PreviewWave(
          wave.number(),
          wave.title(),
          wave.devices().size(),
          wave.devices().stream().limit(SAMPLE).toList());
    }

    private Optional<Instant> start(Site site) {
      return leaving.start(site) instanceof Start.At(Instant at, _)
          ? Optional.of(at)
          : Optional.empty();
    }
  }
}
