package dev.uplift.activities.rollout;

import dev.uplift.activities.temporal.StartResult;
import dev.uplift.activities.temporal.UpgradeStarter;
import dev.uplift.activities.temporal.WorkflowStatus;
import dev.uplift.activities.temporal.WorkflowStatusReader;
import dev.uplift.fleet.Outcome;
import dev.uplift.fleet.rollout.TargetResult;
import dev.uplift.services.rollout.RolloutRepositories;
import dev.uplift.services.upgrade.RevertPlanner;
import dev.uplift.services.upgrade.RevertPlanner.Revertibility;
import dev.uplift.store.rollout.RolloutRow;
import dev.uplift.store.rollout.TargetRow;
import dev.uplift.workflows.device.UpgradePlan;
import dev.uplift.workflows.device.UpgradePlan.UpgradeToRevert;
import dev.uplift.workflows.device.UpgradeTimeouts;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/// Starts the reverts of devices that a pass has marked. After a kill in between, the next pass
/// starts them again: their ids make that harmless.
final class RevertLauncher {
  private final RolloutRepositories repositories;
  private final UpgradeStarter starter;
  private final WorkflowStatusReader workflowStatuses;
  private final UpgradeTimeouts timeouts;
  private final RevertPlanner revertPlanner;

  RevertLauncher(
      RolloutRepositories repositories,
      UpgradeStarter starter,
      WorkflowStatusReader workflowStatuses,
      UpgradeTimeouts timeouts) {
    this.repositories = repositories;
    this.starter = starter;
    this.workflowStatuses = workflowStatuses;
    this.timeouts = timeouts;
    this.revertPlanner =
        new RevertPlanner(repositories.common().devices(), repositories.common().upgrades());
  }

  /// As [UpgradeLauncher#launch].
  void launch(PassResult passResult, Runnable heartbeat) {
    ParallelRunner.run(
        passResult.rollback().toStart(), target -> start(passResult.row(), target), heartbeat);
    ParallelRunner.run(
        passResult.rollback().uncertain(),
        target -> resolveUncertain(passResult.row(), target),
        heartbeat);
  }

  private void start(RolloutRow row, TargetRow target) {
    Optional<Revertibility.Revertible> there =
        repositories
            .common()
            .upgrades()
            .find(row.id().tenant(), target.upgrade().orElseThrow())
            .map(revertPlanner::plan)
            .filter(Revertibility.Revertible.class::isInstance)
            .map(Revertibility.Revertible.class::cast);
    if (there.isEmpty()) {
      // The device was deleted, or has other hosts.
      TargetResult stays = target.result().orElse(TargetResult.UPGRADED);
      repositories.reverts().markReverted(row.id(), target.device(), Outcome.DECLINED, stays);
    } else if (repositories.control(row.id()).mayRevert()
        && starter.start(plan(row, target, there.get()))
            instanceof StartResult.DeviceBusy(String other)) {
      repositories
          .reverts()
          .returnToRevertQueue(
              row.id(), target.device(), UpgradeLauncher.retryAt(repositories, row, other));
    }
  }

  private void resolveUncertain(RolloutRow row, TargetRow target) {
    if (workflowStatuses.read(row.id().device(target.device()), revertUpgradeId(target))
        instanceof WorkflowStatus.Lost) {
      repositories.reverts().returnToRevertQueue(row.id(), target.device(), Instant.now());
    }
  }

  private UpgradePlan plan(RolloutRow row, TargetRow target, Revertibility.Revertible done) {
    var plan =
        new UpgradePlan(
            revertUpgradeId(target),
            row.id().device(target.device()),
            done.hosts(),
            row.release(),
            UpgradePlan.Options.ofRevert(
                Instant.now().plus(UpgradeLauncher.MAX_DURATION).truncatedTo(ChronoUnit.SECONDS),
                timeouts),
            UpgradePlan.Origin.rollout(row.id().name(), row.id().operatorName(), false));
    return plan.reverting(UpgradeToRevert.of(done.upgrade(), done.versionsBefore()));
  }

  private static String revertUpgradeId(TargetRow target) {
    return target.revertUpgrade().orElseThrow();
  }
}
