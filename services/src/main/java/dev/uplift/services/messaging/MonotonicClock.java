package dev.uplift.services.messaging;

import io.micronaut.context.annotation.Bean;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/// The time of this process, which never jumps: if the wall clock were set forward by an hour, every host would seem to
/// be silent.
// Not where any clock is asked for.
@Bean(typed = MonotonicClock.class)
@Singleton
public final class MonotonicClock implements InstantSource {
  private final Instant begin = Instant.now();
  private final long beginNanos = System.nanoTime();

  @Override
  public Instant instant() {
    return begin.plus(Duration.ofNanos(System.nanoTime() - beginNanos));
  }
}
