package dev.uplift.activities.device;

import dev.uplift.fleet.RolloutId;
import dev.uplift.fleet.rollout.RolloutControl;
import dev.uplift.fleet.rollout.TargetState;
import dev.uplift.services.rollout.RolloutJson;
import dev.uplift.services.rollout.RolloutRepositories;
import dev.uplift.store.audit.AuditEntry;
import dev.uplift.store.rollout.TargetRow;
import dev.uplift.workflows.device.UpgradePlan;
import java.time.Instant;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Lets the upgrades of a rollout begin, proceed and revert only while their rollout wants it. A start or a signal may
/// arrive late: from a pass that was given up, after the answer to a pause or an abort, or past Uplift altogether. The
/// check is made under the shared lock of the rollout, so what it admits precedes the operator's action, and one device
/// does not wait for another.
final class RolloutAdmission {
  private static final Logger LOG = LoggerFactory.getLogger(RolloutAdmission.class);
  private static final String SOURCE = "temporal";

  private final RolloutRepositories repositories;

  RolloutAdmission(RolloutRepositories repositories) {
    this.repositories = repositories;
  }

  /// Returns whether the upgrade, or the revert, may begin. If its rollout was stopped meanwhile, the device returns to
  /// its queue. To be called in a transaction.
  boolean admitStart(UpgradePlan plan) {
    return rolloutOf(plan).map(rollout -> admitStart(rollout, plan)).orElse(true);
  }

  private boolean admitStart(RolloutId rollout, UpgradePlan plan) {
    Optional<RolloutControl> control = lockControl(rollout);
    Optional<TargetRow> target = findTarget(rollout, plan).filter(found -> found.state().isInProgress());
    if (control.isEmpty() || target.isEmpty()) {
      return false;
    }
    boolean reverts = target.get().state() == TargetState.REVERTING;
    boolean admitted = reverts ? control.get().mayRevert() : control.get().mayStart();
    if (!admitted) {
      returnToQueue(rollout, target.get().device(), reverts);
    }
    return admitted;
  }

  private void returnToQueue(RolloutId rollout, String device, boolean reverts) {
    if (reverts) {
      repositories.reverts().returnToRevertQueue(rollout, device, Instant.now());
    } else {
      // It may have been marked to proceed before it began.
      repositories.targets().markProceeded(rollout, device);
      repositories.targets().returnToStarting(rollout, device);
      repositories.targets().returnToPending(rollout, device, Instant.now());
    }
  }

  /// Returns whether an upgrade that has prepared ahead may proceed. If its rollout was stopped meanwhile, the device
  /// is prepared again, and is signalled again after a resume. A signal that the rollout has not sent is ignored, and
  /// said in the log and the audit.
  boolean admitProceed(UpgradePlan plan) {
    return rolloutOf(plan)
        .map(rollout -> repositories.database().inTransaction(() -> admitProceed(rollout, plan)))
        .orElse(true);
  }

  private boolean admitProceed(RolloutId rollout, UpgradePlan plan) {
    Optional<RolloutControl> control = lockControl(rollout);
    Optional<TargetRow> signalled = findTarget(rollout, plan).filter(RolloutAdmission::isSignalled);
    if (control.isEmpty() || signalled.isEmpty()) {
      recordUnwantedSignal(rollout, plan);
      return false;
    }
    boolean admitted = control.get().mayStart();
    if (!admitted) {
      repositories.targets().revokeProceed(rollout, signalled.get().device());
    }
    return admitted;
  }

  private static boolean isSignalled(TargetRow target) {
    return target.state() == TargetState.PROCEEDING
        || (target.state() == TargetState.STARTED && !target.prepareAhead());
  }

  private void recordUnwantedSignal(RolloutId rollout, UpgradePlan plan) {
    String what = "a signal to proceed, which rollout %s has not sent".formatted(rollout.name());
    LOG.warn("upgrade {} of {} ignores {}", plan.upgrade(), plan.device(), what);
    repositories
        .audit()
        .append(
            new AuditEntry(
                rollout.tenant(),
                SOURCE,
                "upgrade.refused",
                "upgrade/" + plan.upgrade(),
                SOURCE,
                "not-wanted: " + what));
  }

  private static Optional<RolloutId> rolloutOf(UpgradePlan plan) {
    return plan.origin().rollout().map(name -> new RolloutId(plan.device().tenant(), name));
  }

  private Optional<RolloutControl> lockControl(RolloutId rollout) {
    return repositories.rollouts().lockShared(rollout).map(row -> RolloutJson.readControl(row.control()));
  }

  /// The device in the rollout, if this upgrade is the one that it is to have now.
  private Optional<TargetRow> findTarget(RolloutId rollout, UpgradePlan plan) {
    return repositories
        .queue()
        .find(rollout, plan.device().name())
        .filter(target -> upgradeOf(target).equals(Optional.of(plan.upgrade())));
  }

  private static Optional<String> upgradeOf(TargetRow target) {
    return target.state() == TargetState.REVERTING ? target.revertUpgrade() : target.upgrade();
  }
}
