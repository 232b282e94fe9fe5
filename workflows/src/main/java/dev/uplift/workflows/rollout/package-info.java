/// The rollout of one release over a fleet, as a workflow: waves, gates, soaks, pauses, approvals, and the judgement
/// after each wave.
///
/// Start at [RolloutImpl]. It asks [dev.uplift.fleet.rollout.decision.WavePolicy] and does what that says; its history
/// tells the story of the rollout. Work on devices is one activity at a time, in [RolloutSteps]; decisions and
/// operators' actions are written by [RolloutRecords] before anything follows from them. The rows know which devices
/// there are: neither state nor history grows with the fleet.
///
/// Every type here is in stored histories: from version 0.1.0 on fields may be added, never renamed or removed. So is
/// every decision of the policy, because the workflow makes it again in a replay: a change of it needs
/// `Workflow.getVersion`.
@NullMarked
package dev.uplift.workflows.rollout;

import org.jspecify.annotations.NullMarked;
