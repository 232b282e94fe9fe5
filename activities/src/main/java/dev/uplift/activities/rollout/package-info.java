/// Rollouts, as far as they touch the world: who takes part, the tick, and what persons say.
///
/// Start at [RolloutPlanner], which turns a wish into frozen waves, and at [RolloutStepsActivities], which
/// carries them out. A [ReconcilePass] is one transaction under the lock of the rollout's row: it collects
/// what has ended, asks [dev.uplift.fleet.rollout.decision.WavePolicy] and marks who starts; [UpgradeLauncher]
/// starts them afterwards, outside of it. [RolloutRecordsActivities] writes what persons say under the same
/// lock. So a tick may be killed anywhere and run twice at once: no device is started twice, none
/// is forgotten, and no outcome counted twice; `RolloutStepsActivitiesTest` and `RolloutWorkerKilledTest` see to that.
@NullMarked
package dev.uplift.activities.rollout;

import org.jspecify.annotations.NullMarked;
