package dev.uplift.services.messaging;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/// The time of this process. Never jumps: a wall clock that is put forward by an hour would have
/// every host silent for that long.
public final class MonotonicClock implements InstantSource {
  private final Instant begin = Instant.now();
  private final long beginNanos = System.nanoTime();

  @Override
  public Instant instant() {
    return begin.plus(Duration.ofNanos(System.nanoTime() - beginNanos));
  }
}
