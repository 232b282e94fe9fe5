package dev.uplift.agent.core;

import dev.uplift.agent.link.GoodTime;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// The server's time, as learnt from its stamps and carried on by the monotonic clock. The wall
/// clock of the host decides nothing: it may be decades off.
final class ServerClock {
  private final LongSupplier nanos;
  private final GoodTime goodTime;
  private @Nullable Fix fix;
  private boolean isSure;

  private record Fix(Instant server, long nanos) {}

  ServerClock(LongSupplier nanos, GoodTime goodTime) {
    this.nanos = nanos;
    this.goodTime = goodTime;
  }

  long nanos() {
    return nanos.getAsLong();
  }

  /// The server's time was `server` when [#nanos()] was `at`.
  synchronized void learn(Instant server, long at) {
    fix = new Fix(server, at);
    isSure = true;
    goodTime.learn(server);
  }

  /// It is this late at least, whatever a server says now.
  Instant atLeast() {
    return carriedOn().map(now -> GoodTime.newer(now, goodTime.floor())).orElse(goodTime.floor());
  }

  /// The host may have slept, and the monotonic clock with it.
  synchronized void doubt() {
    isSure = false;
  }

  /// Whether it should be learnt: never, no more sure, or so long ago that the clocks may have
  /// parted.
  synchronized boolean isDue(Duration atLatest) {
    Fix known = fix;
    return known == null || !isSure || nanos.getAsLong() - known.nanos > atLatest.toNanos();
  }

  /// Empty before it was learnt, and while it is in doubt.
  synchronized Optional<Instant> sure() {
    return isSure ? carriedOn() : Optional.empty();
  }

  /// Good enough to end what has begun. Empty before it was ever learnt.
  synchronized Optional<Instant> carriedOn() {
    Fix known = fix;
    return known == null
        ? Optional.empty()
        : Optional.of(known.server.plus(Duration.ofNanos(nanos.getAsLong() - known.nanos)));
  }

  /// For people to read; the wall clock's where there is nothing better.
  Instant toSay() {
    return carriedOn().orElseGet(Instant::now);
  }
}
