package dev.uplift.agent.command;

import dev.uplift.agent.transport.Backoff;
import dev.uplift.agent.transport.WakeSignal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;

/// Decides when the command is read, and why. One read serves all reasons that are due; on average there is at most one
/// a second, however many notifications come, and [#MAX_BURST] in a row.
final class ReadTriggers {
  static final int MAX_BURST = 5;

  private static final long SECOND = Duration.ofSeconds(1).toNanos();

  private final LongSupplier nanos;
  private final AgentIntervals intervals;
  private final Set<Reason> dueReasons = EnumSet.noneOf(Reason.class);
  private final Set<Reason> lastReasons = EnumSet.noneOf(Reason.class);
  private final List<Timer> timers = new ArrayList<>();
  private final WakeSignal changed = new WakeSignal();

  /// When the allowance is full again; each read moves it by a second.
  private long allowanceFullAt;

  /// Why to read, the strongest reason first.
  enum Reason {
    /// The first connection, or a new one: notifications were missed.
    CONNECTED,
    /// A command was published, or an attempt was made.
    NOTIFIED,
    /// The worker is free again, and a command had to wait.
    WORKER_FREE,
    /// A notification came and nothing new was there.
    RECHECK,
    /// Notifications get lost.
    PERIODIC;

    /// Returns whether a stored outcome is published again. The server may have missed it if it has published the
    /// command again, and has not otherwise.
    boolean resendsOutcome() {
      return this == CONNECTED || this == NOTIFIED;
    }
  }

  private record Timer(long at, Reason reason) {}

  ReadTriggers(LongSupplier nanos, AgentIntervals intervals) {
    this.nanos = nanos;
    this.intervals = intervals;
    this.allowanceFullAt = nanos.getAsLong();
    schedulePeriodic();
  }

  synchronized void add(Reason reason) {
    dueReasons.add(reason);
    changed.signal();
  }

  /// Schedules a read that failed again.
  synchronized void schedule(Reason reason, Duration pause) {
    timers.add(new Timer(nanos.getAsLong() + pause.toNanos(), reason));
    changed.signal();
  }

  /// The read for the last reason succeeded.
  synchronized void recordRead(boolean isNew) {
    if (lastReasons.contains(Reason.NOTIFIED) && !isNew) {
      timers.removeIf(timer -> timer.reason == Reason.RECHECK);
      intervals.rechecks().forEach(pause -> schedule(Reason.RECHECK, pause));
    }
    schedulePeriodic();
  }

  private synchronized void schedulePeriodic() {
    timers.removeIf(timer -> timer.reason == Reason.PERIODIC);
    schedule(Reason.PERIODIC, Backoff.jitter(intervals.poll(), 0.2));
  }

  /// Blocks until a reason is due and a read is allowed. Returns the strongest reason. For one thread.
  Reason next() throws InterruptedException {
    while (true) {
      Optional<Reason> reason = pollDue();
      if (reason.isPresent()) {
        return reason.get();
      }
      changed.await(timeToWait());
    }
  }

  synchronized Optional<Reason> pollDue() {
    long now = nanos.getAsLong();
    timers.removeIf(timer -> {
      boolean isDue = now - timer.at >= 0;
      if (isDue) {
        dueReasons.add(timer.reason);
      }
      return isDue;
    });
    if (dueReasons.isEmpty() || nanosUntilAllowed(now) > 0) {
      return Optional.empty();
    }
    allowanceFullAt = Math.max(allowanceFullAt - now, 0) + now + SECOND;
    Reason best = dueReasons.iterator().next();
    lastReasons.clear();
    lastReasons.addAll(dueReasons);
    dueReasons.clear();
    return Optional.of(best);
  }

  private long nanosUntilAllowed(long now) {
    return allowanceFullAt - now - (MAX_BURST - 1) * SECOND;
  }

  private synchronized Duration timeToWait() {
    long now = nanos.getAsLong();
    if (!dueReasons.isEmpty()) {
      return Duration.ofNanos(nanosUntilAllowed(now));
    }
    long earliest = intervals.poll().toNanos() * 2;
    for (Timer timer : timers) {
      earliest = Math.min(earliest, timer.at - now);
    }
    return Duration.ofNanos(earliest);
  }
}
