package dev.uplift.agent.report;

import dev.uplift.agent.trust.TrustedTimeFloor;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// The server's time, as learnt from its stamps and carried on by the monotonic clock. The wall clock of the host
/// decides nothing: it may be decades off.
public final class ServerClock {
  private final LongSupplier nanos;
  private final TrustedTimeFloor timeFloor;
  private @Nullable Sample sample;
  private boolean isConfirmed;

  private record Sample(Instant server, long nanos) {}

  public ServerClock(LongSupplier nanos, TrustedTimeFloor timeFloor) {
    this.nanos = nanos;
    this.timeFloor = timeFloor;
  }

  long nanos() {
    return nanos.getAsLong();
  }

  /// The server's time was `server` when [#nanos()] was `at`.
  public synchronized void set(Instant server, long at) {
    sample = new Sample(server, at);
    isConfirmed = true;
    timeFloor.raise(server);
  }

  /// It is this late at least, whatever a server says now.
  public Instant earliest() {
    return estimated().map(now -> TrustedTimeFloor.later(now, timeFloor.floor())).orElse(timeFloor.floor());
  }

  /// The host may have slept, and the monotonic clock with it.
  public synchronized void markUncertain() {
    isConfirmed = false;
  }

  /// Returns whether the time should be learnt again: it was never learnt, is uncertain, or was learnt so long ago that
  /// the clocks may differ.
  synchronized boolean isDue(Duration atLatest) {
    Sample known = sample;
    return known == null || !isConfirmed || nanos.getAsLong() - known.nanos > atLatest.toNanos();
  }

  /// Empty before it was learnt, and while it is in doubt.
  public synchronized Optional<Instant> confirmed() {
    return isConfirmed ? estimated() : Optional.empty();
  }

  /// Good enough to end what has begun. Empty before it was ever learnt.
  public synchronized Optional<Instant> estimated() {
    Sample known = sample;
    return known == null
        ? Optional.empty()
        : Optional.of(known.server.plus(Duration.ofNanos(nanos.getAsLong() - known.nanos)));
  }

  /// For people to read; the wall clock's where there is nothing better.
  Instant forDisplay() {
    return estimated().orElseGet(Instant::now);
  }
}
