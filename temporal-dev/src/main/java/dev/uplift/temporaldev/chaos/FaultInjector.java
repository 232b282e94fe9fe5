package dev.uplift.temporaldev.chaos;

import dev.uplift.cli.rest.Sleeper;
import dev.uplift.temporaldev.process.StackException;
import dev.uplift.temporaldev.stack.StackProcess;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;

/// Kills or freezes one part of a stack after the other, at random, and brings it back: never two at once.
final class FaultInjector {
  private static final Duration INTERVAL = Duration.ofSeconds(10);
  private static final int MAX_AWAY_MS = 8_000;

  private final List<StackProcess> killed;
  private final List<StackProcess> frozen;
  private final Random random;
  private final List<Fault> faults = new CopyOnWriteArrayList<>();

  enum Kind {
    KILLED,
    FROZEN
  }

  /// What was done to a part, from when until when it was ready again.
  record Fault(StackProcess part, Kind kind, Instant from, Instant until) {
    boolean overlaps(Instant begin, Instant end) {
      return from.isBefore(end) && begin.isBefore(until);
    }

    @Override
    public String toString() {
      return "%s %s for %.1f s"
          .formatted(
              part.name(), kind == Kind.KILLED ? "killed" : "frozen", Duration.between(from, until).toMillis() / 1e3);
    }
  }

  /// @param killed parts that keep what they know when they are killed
  /// @param onlyFrozen parts that do not
  FaultInjector(List<StackProcess> killed, List<StackProcess> onlyFrozen, long seed) {
    this.killed = killed;
    this.frozen = Stream.concat(killed.stream(), onlyFrozen.stream()).toList();
    this.random = new Random(seed);
  }

  /// Blocks until the time is over and everything runs again.
  void runUntil(Instant end) {
    Instant next = Instant.now();
    while (next.isBefore(end)) {
      Sleeper.sleep(Duration.between(Instant.now(), next));
      faults.add(inject());
      next = latest(next.plus(INTERVAL), Instant.now());
    }
  }

  private static Instant latest(Instant one, Instant other) {
    return one.isAfter(other) ? one : other;
  }

  private Fault inject() {
    Kind kind = random.nextBoolean() ? Kind.KILLED : Kind.FROZEN;
    List<StackProcess> candidates = kind == Kind.KILLED ? killed : frozen;
    StackProcess part = candidates.get(random.nextInt(candidates.size()));
    Duration away = Duration.ofMillis(random.nextInt(MAX_AWAY_MS));
    Instant from = Instant.now();
    switch (kind) {
      case KILLED -> {
        part.kill();
        Sleeper.sleep(away);
        part.start();
      }
      case FROZEN -> {
        part.pause();
        Sleeper.sleep(away);
        part.resume();
        if (!part.isRunning()) {
          throw new StackException(part.name() + " ended while it was frozen; its log is " + part.logFile());
        }
      }
    }
    return new Fault(part, kind, from, Instant.now());
  }

  List<Fault> faults() {
    return List.copyOf(faults);
  }
}
