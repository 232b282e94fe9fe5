package dev.uplift.agent.command;

import dev.uplift.agent.transport.Backoff;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;

/// The reasons there are, and when they are due. One look serves all that are due; on average there
/// is at most one a second, whatever rings, and [#MAX_BURST] may come in a row.
final class ReadTriggers {
  static final int MAX_BURST = 5;

  private static final long SECOND = Duration.ofSeconds(1).toNanos();

  private final LongSupplier nanos;
  private final AgentIntervals intervals;
  private final Set<ReadReason> dueReasons = EnumSet.noneOf(ReadReason.class);
  private final Set<ReadReason> lastReasons = EnumSet.noneOf(ReadReason.class);
  private final List<Timer> timers = new ArrayList<>();

  /// When the allowance is whole again; each look moves it by a second.
  private long allowanceFullAt;

  private record Timer(long at, ReadReason reason) {}

  ReadTriggers(LongSupplier nanos, AgentIntervals intervals) {
    this.nanos = nanos;
    this.intervals = intervals;
    this.allowanceFullAt = nanos.getAsLong();
    schedulePeriodic();
  }

  synchronized void add(ReadReason readReason) {
    dueReasons.add(readReason);
    notifyAll();
  }

  /// A look that failed is due again after a pause.
  synchronized void schedule(ReadReason readReason, Duration pause) {
    timers.add(new Timer(nanos.getAsLong() + pause.toNanos(), readReason));
    notifyAll();
  }

  /// The look for the last reason was taken.
  synchronized void recordRead(boolean isNew) {
    if (lastReasons.contains(ReadReason.NOTIFIED) && !isNew) {
      timers.removeIf(timer -> timer.reason == ReadReason.RECHECK);
      schedule(ReadReason.RECHECK, intervals.recheck());
      schedule(ReadReason.RECHECK, intervals.lateRecheck());
    }
    schedulePeriodic();
  }

  private synchronized void schedulePeriodic() {
    timers.removeIf(timer -> timer.reason == ReadReason.PERIODIC);
    schedule(ReadReason.PERIODIC, Backoff.jitter(intervals.poll(), 0.2));
  }

  /// The best reason of those that are due, as soon as one is and a look is allowed.
  synchronized ReadReason next() throws InterruptedException {
    while (true) {
      Optional<ReadReason> reason = pollDue();
      if (reason.isPresent()) {
        return reason.get();
      }
      wait(Math.max(1, nanosToWait() / 1_000_000));
    }
  }

  synchronized Optional<ReadReason> pollDue() {
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
    ReadReason best = dueReasons.iterator().next();
    lastReasons.clear();
    lastReasons.addAll(dueReasons);
    dueReasons.clear();
    return Optional.of(best);
  }

  private long nanosUntilAllowed(long now) {
    return allowanceFullAt - now - (MAX_BURST - 1) * SECOND;
  }

  private long nanosToWait() {
    long now = nanos.getAsLong();
    if (!dueReasons.isEmpty()) {
      return nanosUntilAllowed(now);
    }
    long earliest = intervals.poll().toNanos() * 2;
    for (Timer timer : timers) {
      earliest = Math.min(earliest, timer.at - now);
    }
    return earliest;
  }
}
