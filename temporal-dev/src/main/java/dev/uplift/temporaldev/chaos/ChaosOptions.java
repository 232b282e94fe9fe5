package dev.uplift.temporaldev.chaos;

import java.time.Duration;

/// How long how many devices are disturbed.
///
/// @param devices with one host each
/// @param duration of the faults; the rollout that runs at its end ends afterwards
/// @param seed which parts are killed, frozen or cut off, and for how long
public record ChaosOptions(int devices, Duration duration, long seed) {}
