/// Rollouts with their waves, target devices, decisions and counts. Start at [RolloutRepository], whose row lock orders
/// all writers.
@NullMarked
package dev.uplift.store.rollout;

import org.jspecify.annotations.NullMarked;
