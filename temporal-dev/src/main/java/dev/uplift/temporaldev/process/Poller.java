package dev.uplift.temporaldev.process;

import dev.uplift.cli.rest.Sleeper;
import java.time.Duration;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.ToIntFunction;

/// Reads a value that other processes change until it fulfils a condition or a time-out has passed.
///
/// Reads at least once, in the caller's thread. A read that throws ends the wait with that exception, as does an
/// interrupt, by a [dev.uplift.cli.rest.CliException].
///
/// @param <T> the value
public final class Poller<T> {
  private final Supplier<T> source;
  private final Duration interval;
  private final Duration timeout;
  private final ToIntFunction<T> progress;
  private final LongSupplier nanoClock;

  /// @param source reads the value
  /// @param interval from the end of a read to the next
  /// @param timeout since the first read, zero: one read; a read is not interrupted
  public Poller(Supplier<T> source, Duration interval, Duration timeout) {
    this(source, interval, timeout, _ -> 0, System::nanoTime);
  }

  Poller(Supplier<T> source, Duration interval, Duration timeout, ToIntFunction<T> progress, LongSupplier nanoClock) {
    this.source = source;
    this.interval = interval;
    this.timeout = timeout;
    this.progress = progress;
    this.nanoClock = nanoClock;
  }

  /// Returns one whose time-out runs since the last progress instead.
  ///
  /// @param figure grows with the progress; smaller figures than the largest so far are none
  public Poller<T> withProgress(ToIntFunction<T> figure) {
    return new Poller<>(source, interval, timeout, figure, nanoClock);
  }

  /// Blocks until a value fulfils the condition or the time-out has passed.
  public PollResult<T> poll(Predicate<T> condition) {
    long since = nanoClock.getAsLong();
    int largest = Integer.MIN_VALUE;
    while (true) {
      T value = source.get();
      if (condition.test(value)) {
        return new PollResult<>(value, true);
      }
      int figure = progress.applyAsInt(value);
      if (figure > largest) {
        largest = figure;
        since = nanoClock.getAsLong();
      }
      if (nanoClock.getAsLong() - since >= timeout.toNanos()) {
        return new PollResult<>(value, false);
      }
      Sleeper.sleep(interval);
    }
  }

  /// The end of a wait.
  ///
  /// @param last the value read last
  /// @param isFulfilled whether it fulfils the condition; otherwise the time-out has passed
  public record PollResult<T>(T last, boolean isFulfilled) {
    /// Returns the value that fulfils the condition.
    ///
    /// @param onTimeout makes of the last value the exception that is thrown if the time-out has passed
    public T orElseThrow(Function<T, ? extends RuntimeException> onTimeout) {
      if (!isFulfilled) {
        throw onTimeout.apply(last);
      }
      return last;
    }
  }
}
