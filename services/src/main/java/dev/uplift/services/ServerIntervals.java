package dev.uplift.services;

import java.time.Duration;

/// How often this process looks.
///
/// @param silentAfter a host without a heartbeat for this long counts as silent: three heartbeat intervals and some
/// @param reconcileEvery between two runs of each reconciler
public record ServerIntervals(Duration silentAfter, Duration reconcileEvery) {}
