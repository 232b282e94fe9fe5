package dev.uplift.api.events;

import dev.uplift.store.DatabaseUnavailable;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Polls the state of subjects for their listeners, once a second per subject however many listen. Forgets a subject
/// without listeners. Safe for use by several threads.
///
/// @param <K> the key of a subject
/// @param <S> its state
public final class SharedPoller<K, S> {
  private static final long POLL_INTERVAL = Duration.ofSeconds(1).toNanos();

  private final Map<K, PolledSubject> shared = new HashMap<>();
  private final Function<K, Function<Optional<S>, S>> pollFunctions;

  /// @param pollFunctions reads the state of a subject, given its previous state
  public SharedPoller(Function<K, Function<Optional<S>, S>> pollFunctions) {
    this.pollFunctions = pollFunctions;
  }

  /// Adds a listener, until it closes the handle.
  public PollHandle open(K key) {
    synchronized (shared) {
      PolledSubject polled = shared.computeIfAbsent(key, _ -> new PolledSubject(pollFunctions.apply(key)));
      polled.listeners++;
      return new PollHandle(key, polled);
    }
  }

  /// The view of one listener.
  public final class PollHandle implements AutoCloseable {
    private final K key;
    private final PolledSubject polled;
    private boolean closed;

    private PollHandle(K key, PolledSubject polled) {
      this.key = key;
      this.polled = polled;
    }

    /// Returns the state of at most a second ago; an older one while the database is unavailable.
    public S get() {
      return polled.get();
    }

    @Override
    public void close() {
      synchronized (shared) {
        if (!closed) {
          closed = true;
          polled.listeners--;
          if (polled.listeners == 0) {
            shared.remove(key, polled);
          }
        }
      }
    }
  }

  private final class PolledSubject {
    private final Function<Optional<S>, S> pollFunction;
    private final Lock lock = new ReentrantLock();
    private @Nullable S lastState;
    private long polledAt;
    private int listeners;

    private PolledSubject(Function<Optional<S>, S> pollFunction) {
      this.pollFunction = pollFunction;
    }

    private S get() {
      lock.lock();
      try {
        S before = lastState;
        if (before != null && System.nanoTime() - polledAt < POLL_INTERVAL) {
          return before;
        }
        polledAt = System.nanoTime();
        S now = pollOrKeep(before);
        lastState = now;
        return now;
      } finally {
        lock.unlock();
      }
    }

    private S pollOrKeep(@Nullable S before) {
      try {
        return pollFunction.apply(Optional.ofNullable(before));
      } catch (DatabaseUnavailable e) {
        if (before == null) {
          throw e;
        }
        return before;
      }
    }
  }
}
