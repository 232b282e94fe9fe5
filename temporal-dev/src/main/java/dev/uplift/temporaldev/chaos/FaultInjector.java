package dev.uplift.temporaldev.chaos;

import dev.uplift.cli.rest.Sleeper;
import dev.uplift.temporaldev.process.StackException;
import dev.uplift.temporaldev.stack.StackProcess;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;

/// Kills one part of a stack after the other, freezes it or cuts it off, at random, and brings it back: never two at
/// once.
final class FaultInjector {
  private static final Duration INTERVAL = Duration.ofSeconds(10);
  private static final int MAX_AWAY_MS = 8_000;

  /// Longer than a server waits for NATS, Temporal or the database, and than nats-servers take to elect a leader.
  private static final int MAX_CUT_MS = 20_000;

  private final List<StackProcess> killed;
  private final List<StackProcess> frozen;
  private final List<StackProcess> cutOff;
  private final Random random;
  private final List<Fault> faults = new CopyOnWriteArrayList<>();

  enum Kind {
    KILLED,
    FROZEN,
    CUT_OFF;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
  }

  /// What was done to a part, from when until when it was ready again.
  record Fault(StackProcess part, Kind kind, Instant from, Instant until) {
    boolean overlaps(Instant begin, Instant end) {
      return from.isBefore(end) && begin.isBefore(until);
    }

    @Override
    public String toString() {
      return "%s %s for %.1f s".formatted(part.name(), kind, Duration.between(from, until).toMillis() / 1e3);
    }
  }

  /// @param killed parts that keep what they know when they are killed
  /// @param onlyFrozen parts that do not
  /// @param cutOff parts that are cut off
  FaultInjector(List<StackProcess> killed, List<StackProcess> onlyFrozen, List<StackProcess> cutOff, long seed) {
    this.killed = killed;
    this.frozen = Stream.concat(killed.stream(), onlyFrozen.stream()).toList();
    this.cutOff = cutOff;
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
    Instant from = Instant.now();
    Kind kind = Kind.values()[random.nextInt(Kind.values().length)];
    StackProcess part =
        switch (kind) {
          case KILLED -> killOne();
          case FROZEN -> freezeOne();
          case CUT_OFF -> cutOneOff();
        };
    return new Fault(part, kind, from, Instant.now());
  }

  private StackProcess killOne() {
    StackProcess part = oneOf(killed);
    part.kill();
    Sleeper.sleep(Duration.ofMillis(random.nextInt(MAX_AWAY_MS)));
    part.start();
    return part;
  }

  private StackProcess freezeOne() {
    StackProcess part = oneOf(frozen);
    part.pause();
    Sleeper.sleep(Duration.ofMillis(random.nextInt(MAX_AWAY_MS)));
    part.resume();
    if (!part.isRunning()) {
      throw new StackException(part.name() + " ended while it was frozen; its log is " + part.logFile());
    }
    return part;
  }

  private StackProcess cutOneOff() {
    StackProcess part = oneOf(cutOff);
    part.cutOff();
    Sleeper.sleep(Duration.ofMillis(random.nextInt(MAX_CUT_MS)));
    part.reconnect();
    part.awaitReady();
    return part;
  }

  private <T> T oneOf(List<T> all) {
    return all.get(random.nextInt(all.size()));
  }

  List<Fault> faults() {
    return List.copyOf(faults);
  }
}
