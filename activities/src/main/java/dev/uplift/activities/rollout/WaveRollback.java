package dev.uplift.activities.rollout;

import dev.uplift.fleet.RolloutId;
import dev.uplift.fleet.rollout.Decision.Wait;
import dev.uplift.fleet.rollout.RolloutControl;
import dev.uplift.fleet.rollout.TargetResult;
import dev.uplift.fleet.rollout.TargetState;
import dev.uplift.fleet.rollout.plan.RolloutPlan;
import dev.uplift.fleet.rollout.start.StartSelection;
import dev.uplift.services.rollout.RolloutJson;
import dev.uplift.services.rollout.RolloutRepositories;
import dev.uplift.store.rollout.FinishedTarget;
import dev.uplift.store.rollout.NewDecision;
import dev.uplift.store.rollout.RolloutRow;
import dev.uplift.store.rollout.TargetCounts;
import dev.uplift.store.rollout.TargetRow;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Reverts the devices of a wave while the control says so, at most `max_parallel` at a time. For one activity
/// execution; every method is called under the lock of the rollout.
final class WaveRollback {
  /// The results of devices that are reverted with their wave.
  static final Set<TargetResult> REVERTIBLE_RESULTS =
      Arrays.stream(TargetResult.values()).filter(TargetResult::mayRunRelease).collect(Collectors.toUnmodifiableSet());

  /// While all of them are blocked, not every pass looks for one that may be reverted.
  private static final Duration RECHECK_INTERVAL = Duration.ofSeconds(5);

  private static final Comparator<TargetRow> UNHEALTHY_FIRST =
      Comparator.comparing(row -> !row.result().equals(Optional.of(TargetResult.UNHEALTHY)));

  private final RolloutRepositories repositories;
  private final RolloutId id;
  private final DevicePresence devicePresence;

  /// Ids of reverts that this execution has started or resolved.
  private final Set<String> handled = new HashSet<>();

  private Instant recheckAt = Instant.MIN;
  private Optional<Wait> waitReason = Optional.empty();

  WaveRollback(RolloutRepositories repositories, RolloutId id, DevicePresence devicePresence) {
    this.repositories = repositories;
    this.id = id;
    this.devicePresence = devicePresence;
  }

  /// Devices to revert now.
  ///
  /// @param toStart devices whose revert is to be started, perhaps again, under the same id
  /// @param uncertain devices whose revert may have been started, while nothing may be
  /// @param waitReason why none of the waiting devices may be reverted; empty if one may
  record RollbackBatch(List<TargetRow> toStart, List<TargetRow> uncertain, Optional<Wait> waitReason) {
    static final RollbackBatch EMPTY = new RollbackBatch(List.of(), List.of(), Optional.empty());
  }

  /// Records the outcome of each finished revert, once.
  void collect() {
    for (FinishedTarget ended : repositories.queue().finishedReverts(id)) {
      TargetRow target = ended.target();
      TargetResult before = target.result().orElse(TargetResult.UPGRADED);
      repositories
          .reverts()
          .markReverted(id, target.device(), ended.end().outcome(), before.afterRevert(ended.end().outcome()));
    }
  }

  /// Queues devices of the wave that have ended meanwhile, and finishes the roll-back when all have answered. If the
  /// rollout was aborted, waiting devices stay as they are.
  void advance(RolloutRow row) {
    RolloutControl control = RolloutJson.readControl(row.control());
    if (control.abortedBy().isPresent()) {
      repositories.reverts().cancelPending(id);
    } else {
      control.rollingBackWave().ifPresent(wave -> advance(row, control, wave));
    }
  }

  private void advance(RolloutRow row, RolloutControl control, int wave) {
    repositories.reverts().markToRevert(id, wave, REVERTIBLE_RESULTS);
    TargetCounts counts = repositories.statistics().targetCounts(id);
    if (counts.unfinishedReverts() + counts.all().inProgress() == 0) {
      repositories.rollouts().setControl(id, RolloutJson.write(control.rolledBack()));
      repositories
          .decisions()
          .append(
              id,
              new NewDecision(
                  row.currentWave(),
                  "rolled-back",
                  "",
                  result(counts, wave),
                  "",
                  LockedRollout.SYSTEM_ACTOR,
                  Optional.empty()));
    }
  }

  private static String result(TargetCounts counts, int wave) {
    int back = countTargets(counts, wave, result -> result == TargetResult.ROLLED_BACK);
    int all = countTargets(counts, wave, _ -> true);
    return "wave %d is rolled back: %d of %d devices run the previous version".formatted(wave, back, all);
  }

  private static int countTargets(TargetCounts counts, int wave, Predicate<TargetResult> which) {
    return counts.groups().stream()
        .filter(group -> group.wave() == wave && group.state() == TargetState.REVERTED)
        .filter(group -> group.result().filter(which).isPresent())
        .mapToInt(TargetCounts.Group::devices)
        .sum();
  }

  /// Marks the devices that are reverted now. Their reverts are to be started outside the lock.
  RollbackBatch markNext(RolloutRow row, RolloutPlan plan, Instant now) {
    RolloutControl control = RolloutJson.readControl(row.control());
    boolean goes = control.rollingBackWave().isPresent();
    boolean stopped = control.abortedBy().isPresent();
    if (!goes && !stopped) {
      return RollbackBatch.EMPTY;
    }
    List<TargetRow> unseen =
        repositories.queue().revertingWithoutUpgrade(id).stream().filter(this::isUnhandled).toList();
    List<TargetRow> next = stopped ? List.of() : selectNext(row, plan, now);
    List<TargetRow> all = Stream.concat(unseen.stream(), next.stream()).toList();
    all.forEach(target -> target.revertUpgrade().ifPresent(handled::add));
    return stopped
        ? new RollbackBatch(List.of(), all, Optional.empty())
        : new RollbackBatch(all, List.of(), waitReason);
  }

  private boolean isUnhandled(TargetRow target) {
    return target.revertUpgrade().filter(handled::contains).isEmpty();
  }

  private List<TargetRow> selectNext(RolloutRow row, RolloutPlan plan, Instant now) {
    List<TargetRow> waiting =
        repositories.queue().listInState(id, TargetState.REVERT_PENDING).stream().sorted(UNHEALTHY_FIRST).toList();
    TargetCounts counts = repositories.statistics().targetCounts(id);
    int slots = plan.limits().maxParallel() - counts.all().inProgress() - counts.reverting();
    if (waiting.isEmpty() || slots <= 0) {
      waitReason = Optional.empty();
      return List.of();
    }
    if (now.isBefore(recheckAt) && waitReason.isPresent()) {
      return List.of();
    }
    recheckAt = now.plus(RECHECK_INTERVAL);
    Duration soak = new LockedRollout(repositories, id).waveSpec(plan, Math.max(row.currentWave(), 1)).soak();
    StartSelection next =
        new CandidateSelector(repositories, row, plan, devicePresence, now).selectForRollback(waiting, slots, soak);
    waitReason = next.isEmpty() ? Optional.of(next.waitDecision()) : Optional.empty();
    return repositories.reverts().markReverting(id, next.start());
  }
}
