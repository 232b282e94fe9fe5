package dev.uplift.services.archive;

import dev.uplift.store.event.TenantEventRepository;
import dev.uplift.store.version.HostVersionRepository;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.function.ToIntFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Removes versions that hosts have not run for long, and old events. They are in no archive: what they tell of is.
@Singleton
public final class HistoryRemover {
  private static final Logger LOG = LoggerFactory.getLogger(HistoryRemover.class);

  /// As long as upgrades are kept unless a setting says otherwise, and longer than any answer looks back.
  static final Duration VERSION_AGE = Duration.ofDays(400);

  /// Longer than a listener is away.
  static final Duration EVENT_AGE = Duration.ofDays(30);

  private final HostVersionRepository versions;
  private final TenantEventRepository events;
  private final InstantSource clock;

  public HistoryRemover(HostVersionRepository versions, TenantEventRepository events, InstantSource clock) {
    this.versions = versions;
    this.events = events;
    this.clock = clock;
  }

  /// Removes all that is old enough, batch by batch, or a part of it if the thread is interrupted. Returns how many
  /// rows that were. To be called periodically, and safe to repeat.
  public long run() {
    return remove("versions that hosts no longer run", VERSION_AGE, versions::deleteOld)
        + remove("events", EVENT_AGE, events::deleteOld);
  }

  private long remove(String what, Duration age, ToIntFunction<Instant> deleteBatch) {
    Instant before = clock.instant().minus(age);
    long removed = 0;
    int batch;
    do {
      batch = deleteBatch.applyAsInt(before);
      removed += batch;
    } while (batch > 0 && !Thread.currentThread().isInterrupted());
    if (removed > 0) {
      LOG.info("removed {} {} of before {}", removed, what, before);
    }
    return removed;
  }
}
