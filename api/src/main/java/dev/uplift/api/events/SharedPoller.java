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

/// Looks at things for listeners: once a second at each, however many listen. A thing to which nobody listens is
/// forgotten. Safe for use by several threads.
///
/// @param <K> what a thing is called
/// @param <S> what is seen of it
public final class SharedPoller<K, S> {
  private static final long POLL_INTERVAL = Duration.ofSeconds(1).toNanos();

  private final Map<K, PolledThing> shared = new HashMap<>();
  private final Function<K, Function<Optional<S>, S>> pollFunctions;

  /// @param pollFunctions how to look at a thing, given what was seen of it before
  public SharedPoller(Function<K, Function<Optional<S>, S>> pollFunctions) {
    this.pollFunctions = pollFunctions;
  }

  /// Somebody listens from now on, until they close it.
  public PollHandle open(K thing) {
    synchronized (shared) {
      PolledThing polled = shared.computeIfAbsent(thing, _ -> new PolledThing(pollFunctions.apply(thing)));
      polled.listeners++;
      return new PollHandle(thing, polled);
    }
  }

  /// The view of one listener.
  public final class PollHandle implements AutoCloseable {
    private final K key;
    private final PolledThing polled;
    private boolean closed;

    private PollHandle(K key, PolledThing polled) {
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

  private final class PolledThing {
    private final Function<Optional<S>, S> pollFunction;
    private final Lock lock = new ReentrantLock();
    private @Nullable S lastState;
    private long polledAt;
    private int listeners;

    private PolledThing(Function<Optional<S>, S> pollFunction) {
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
