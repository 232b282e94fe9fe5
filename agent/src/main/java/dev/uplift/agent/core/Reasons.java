package dev.uplift.agent.core;

import dev.uplift.agent.link.Backoff;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;

/// The reasons there are, and when they are due. One look serves all that are due; on average there
/// is at most one a second, whatever rings, and [#AT_ONCE] may come in a row.
final class Reasons {
  static final int AT_ONCE = 5;

  private static final long SECOND = Duration.ofSeconds(1).toNanos();

  private final LongSupplier nanos;
  private final Tempo tempo;
  private final Set<Reason> due = EnumSet.noneOf(Reason.class);
  private final Set<Reason> served = EnumSet.noneOf(Reason.class);
  private final List<Alarm> alarms = new ArrayList<>();

  /// When the allowance is whole again; each look moves it by a second.
  private long whole;

  private record Alarm(long at, Reason reason) {}

  Reasons(LongSupplier nanos, Tempo tempo) {
    this.nanos = nanos;
    this.tempo = tempo;
    this.whole = nanos.getAsLong();
    setPeriodic();
  }

  synchronized void add(Reason reason) {
    due.add(reason);
    notifyAll();
  }

  /// A look that failed is due again after a pause.
  synchronized void later(Reason reason, Duration pause) {
    alarms.add(new Alarm(nanos.getAsLong() + pause.toNanos(), reason));
    notifyAll();
  }

  /// The look for the last reason was taken.
  synchronized void looked(boolean isNew) {
    if (served.contains(Reason.BELL) && !isNew) {
      alarms.removeIf(alarm -> alarm.reason == Reason.AGAIN);
      later(Reason.AGAIN, tempo.again());
      later(Reason.AGAIN, tempo.againLate());
    }
    setPeriodic();
  }

  private synchronized void setPeriodic() {
    alarms.removeIf(alarm -> alarm.reason == Reason.PERIODIC);
    later(Reason.PERIODIC, Backoff.spread(tempo.look(), 0.2));
  }

  /// The best reason of those that are due, as soon as one is and a look is allowed.
  synchronized Reason next() throws InterruptedException {
    while (true) {
      Optional<Reason> reason = takeDue();
      if (reason.isPresent()) {
        return reason.get();
      }
      wait(Math.max(1, toWait() / 1_000_000));
    }
  }

  synchronized Optional<Reason> takeDue() {
    long now = nanos.getAsLong();
    alarms.removeIf(alarm -> {
      boolean isDue = now - alarm.at >= 0;
      if (isDue) {
        due.add(alarm.reason);
      }
      return isDue;
    });
    if (due.isEmpty() || untilAllowed(now) > 0) {
      return Optional.empty();
    }
    whole = Math.max(whole - now, 0) + now + SECOND;
    Reason best = due.iterator().next();
    served.clear();
    served.addAll(due);
    due.clear();
    return Optional.of(best);
  }

  private long untilAllowed(long now) {
    return whole - now - (AT_ONCE - 1) * SECOND;
  }

  private long toWait() {
    long now = nanos.getAsLong();
    if (!due.isEmpty()) {
      return untilAllowed(now);
    }
    long earliest = tempo.look().toNanos() * 2;
    for (Alarm alarm : alarms) {
      earliest = Math.min(earliest, alarm.at - now);
    }
    return earliest;
  }
}
