/// What a rollout decides: who is in which wave, who starts next, when the next wave comes, and
/// when it has to stop.
///
/// Start at [RolloutPlan], which is what somebody wants, and at [WavePolicy], which is asked again
/// and again what to do now. [WaveAssignment] numbers the devices once, at the start; [StartSelection]
/// picks those that may start; [RolloutState] says what a person may do when.
///
/// All of it is pure: counts, times and windows come in as values, and the answer carries its
/// reason as a fixed word and a sentence. Whoever asks has to bring facts that belong together, so
/// it asks under a lock. Each decision is tested as a table that an operator can read:
/// `WavePolicyTest`, `StartSelectionTest`, `WaveAssignmentTest`, `RolloutPlanTest`. Plans and states
/// are payloads and rows, so a constant keeps its name for ever, and nothing here refuses to read
/// an older plan: a new one is asked for its faults before it is stored.
@NullMarked
package dev.uplift.fleet.rollout;

import org.jspecify.annotations.NullMarked;
