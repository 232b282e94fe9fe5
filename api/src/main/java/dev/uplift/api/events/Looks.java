package dev.uplift.api.events;

import dev.uplift.store.DatabaseAway;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Looks at things for listeners: once a second at each, however many listen. A thing to which
/// nobody listens is forgotten. Safe for use by several threads.
///
/// @param <K> what a thing is called
/// @param <S> what is seen of it
public final class Looks<K, S> {
  private static final long PAUSE = Duration.ofSeconds(1).toNanos();

  private final Map<K, Shared> shared = new HashMap<>();
  private final Function<K, Function<Optional<S>, S>> looks;

  /// @param looks how to look at a thing, given what was seen of it before
  public Looks(Function<K, Function<Optional<S>, S>> looks) {
    this.looks = looks;
  }

  /// Somebody listens from now on, until they close it.
  public Look open(K thing) {
    synchronized (shared) {
      Shared one = shared.computeIfAbsent(thing, _ -> new Shared(looks.apply(thing)));
      one.listeners++;
      return new Look(thing, one);
    }
  }

  /// What one listener sees.
  public final class Look implements AutoCloseable {
    private final K thing;
    private final Shared one;
    private boolean closed;

    private Look(K thing, Shared one) {
      this.thing = thing;
      this.one = one;
    }

    /// At most a second old; older while the database is away.
    public S get() {
      return one.get();
    }

    @Override
    public void close() {
      synchronized (shared) {
        if (!closed) {
          closed = true;
          one.listeners--;
          if (one.listeners == 0) {
            shared.remove(thing, one);
          }
        }
      }
    }
  }

  private final class Shared {
    private final Function<Optional<S>, S> look;
    private final Lock lock = new ReentrantLock();
    private @Nullable S seen;
    private long lookedAt;
    private int listeners;

    private Shared(Function<Optional<S>, S> look) {
      this.look = look;
    }

    private S get() {
      lock.lock();
      try {
        S before = seen;
        if (before != null && System.nanoTime() - lookedAt < PAUSE) {
          return before;
        }
        lookedAt = System.nanoTime();
        S now = lookAgain(before);
        seen = now;
        return now;
      } finally {
        lock.unlock();
      }
    }

    private S lookAgain(@Nullable S before) {
      try {
        return look.apply(Optional.ofNullable(before));
      } catch (DatabaseAway e) {
        if (before == null) {
          throw e;
        }
        return before;
      }
    }
  }
}
