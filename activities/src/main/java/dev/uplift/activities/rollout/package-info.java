/// The activities of rollouts: work on devices, decisions, and operators' actions.
///
/// Start at [RolloutStepsActivities], which makes pass after pass over the devices of a rollout. A [ReconcilePass] is
/// one transaction under the lock of the rollout's row: it collects results, asks
/// [dev.uplift.fleet.rollout.decision.WavePolicy] and marks the devices that start; [UpgradeLauncher] starts them
/// afterwards, without the lock. What is not about devices the workflow decides, and [RolloutRecordsActivities] writes
/// it, under the same lock.
///
/// So an activity may be killed at any point and run twice at once: no device is started twice, none is forgotten, and
/// no result is counted twice; `RolloutStepsActivitiesTest` and `RolloutWorkerKilledTest` check that.
@NullMarked
package dev.uplift.activities.rollout;

import org.jspecify.annotations.NullMarked;
