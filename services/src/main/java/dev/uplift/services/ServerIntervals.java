package dev.uplift.services;

import dev.uplift.fleet.presence.OutageRule;
import java.time.Duration;

/// How often this process looks, and how long it waits.
///
/// @param silentAfter a host without a heartbeat for this long counts as silent: three heartbeat intervals and some
/// @param reconcileEvery between two runs of each reconciler
/// @param outageRule when hosts that fall silent do not count as silent, because many do at once
public record ServerIntervals(Duration silentAfter, Duration reconcileEvery, OutageRule outageRule) {}
