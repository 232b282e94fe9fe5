package dev.uplift.activities.rollout;

import dev.uplift.fleet.RolloutId;
import dev.uplift.fleet.rollout.Phrases;
import dev.uplift.fleet.rollout.TargetResult;
import dev.uplift.fleet.rollout.decision.WaveCounts;
import dev.uplift.fleet.rollout.plan.RolloutPlan;
import dev.uplift.fleet.rollout.plan.WaveSize;
import dev.uplift.fleet.rollout.plan.WaveSpec;
import dev.uplift.fleet.rollout.start.CandidatePresence;
import dev.uplift.services.rollout.RolloutJson;
import dev.uplift.services.rollout.RolloutRepositories;
import dev.uplift.store.device.DeviceRow;
import dev.uplift.store.rollout.NewDecision;
import dev.uplift.store.rollout.RolloutRow;
import dev.uplift.store.rollout.TargetRow;
import dev.uplift.store.rollout.TargetRow.QueuePosition;
import dev.uplift.store.rollout.WaveRow;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Moves devices of later waves to the current one for those that prove nothing about the release: declined, expired or
/// offline. Only where the wave is a number or a share of devices, so that any of them would do, and others follow it.
/// For one activity execution.
final class CanaryReplacement {
  private static final Duration INTERVAL = Duration.ofSeconds(5);

  /// So many devices are looked at for one that is heard.
  private static final int PAGE = 500;

  private final RolloutRepositories repositories;
  private final DevicePresence devicePresence;
  private final RolloutId id;
  private Instant next = Instant.MIN;

  CanaryReplacement(RolloutRepositories repositories, DevicePresence devicePresence, RolloutId id) {
    this.repositories = repositories;
    this.devicePresence = devicePresence;
    this.id = id;
  }

  /// To be called under the lock of the rollout.
  void replace(RolloutRow row, RolloutPlan plan, Instant now) {
    if (now.isBefore(next)
        || row.currentWave() >= row.waveCount()
        || !RolloutJson.readControl(row.control()).mayStart()) {
      return;
    }
    Optional<WaveRow> wave = repositories.waves().find(id, row.currentWave()).filter(found -> isOfAny(plan, found));
    if (wave.isEmpty()) {
      return;
    }
    WaveCounts counts = repositories.statistics().targetCounts(id).ofWave(row.currentWave());
    int missing = missing(wave.get().size(), counts);
    if (missing > 0) {
      next = now.plus(INTERVAL);
      move(row, missing, now);
    }
  }

  private static boolean isOfAny(RolloutPlan plan, WaveRow wave) {
    WaveSpec spec = LockedRollout.waveSpec(plan, wave.planIndex(), wave.number());
    return spec.size() instanceof WaveSize.Count || spec.size() instanceof WaveSize.Percent;
  }

  /// As many as proved nothing, but no more than the wave had: a release that every device declines does not take them
  /// all.
  static int missing(int planned, WaveCounts counts) {
    int provedNothing =
        ended(counts, TargetResult.DECLINED)
            + ended(counts, TargetResult.EXPIRED)
            + ended(counts, TargetResult.OFFLINE)
            + counts.offline();
    return Math.min(planned - (counts.total() - provedNothing), 2 * planned - counts.total());
  }

  private static int ended(WaveCounts counts, TargetResult result) {
    return counts.ended().getOrDefault(result, 0);
  }

  private void move(RolloutRow row, int missing, Instant now) {
    List<TargetRow> later = repositories.queue().pendingAfterWave(id, row.currentWave(), PAGE);
    if (later.isEmpty()) {
      return;
    }
    var after = new QueuePosition(row.currentWave(), Long.MAX_VALUE);
    Map<String, DeviceRow> devices =
        repositories.queue().devicesOfCandidates(id, after, later.getLast().queuePosition(), later.size());
    Map<String, String> pinned =
        repositories.queue().pinsAgainst(id, row.release(), after, later.getLast().queuePosition(), later.size(), now);
    List<String> others =
        later.stream()
            .map(TargetRow::device)
            .filter(device -> !pinned.containsKey(device))
            .filter(
                device -> Optional.ofNullable(devices.get(device)).filter(found -> mayProve(found, now)).isPresent())
            .limit(missing)
            .toList();
    if (!others.isEmpty()) {
      repositories.targets().moveToWave(id, row.currentWave(), others);
      repositories.decisions().append(id, decision(row, others));
    }
  }

  private boolean mayProve(DeviceRow device, Instant now) {
    return !device.hosts().isEmpty()
        && device.activeHold(now).isEmpty()
        && devicePresence.of(id.tenant(), device.hosts()) instanceof CandidatePresence.Heard;
  }

  private static NewDecision decision(RolloutRow row, List<String> others) {
    return new NewDecision(
        row.currentWave(),
        "replace-canaries",
        "",
        "%s of later waves for those of wave %d that declined, expired or are offline: %s"
            .formatted(Phrases.devices(others.size()), row.currentWave(), String.join(", ", others)),
        "",
        LockedRollout.SYSTEM_ACTOR,
        Optional.empty());
  }
}
