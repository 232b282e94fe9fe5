package dev.uplift.agent.driver.session;

import dev.uplift.agent.driver.session.Ending.BrokenOff;
import dev.uplift.agent.driver.session.Ending.Exited;
import dev.uplift.agent.driver.session.Ending.Lost;
import dev.uplift.agent.driver.session.Ending.TimedOut;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/// One run of a program, as its folder shows it: `stat` says who it is and since which boot, `exit`
/// how it ended, `out` and `err` what it said.
public final class Session {
  private static final Duration SHORTEST_LOOK = Duration.ofMillis(5);
  private static final Duration LONGEST_LOOK = Duration.ofMillis(250);
  private static final Duration FIRST_SIGN = Duration.ofSeconds(5);

  private final Path folder;
  private final Path out;
  private final Path err;

  Session(Path folder, Path out, Path err) {
    this.folder = folder;
    this.out = out;
    this.err = err;
  }

  /// Bounds of one run.
  ///
  /// @param limit counted from its start, also when it is found again
  /// @param cancelled whether it is to be broken off
  /// @param grace between asking it to end and ending it
  public record Terms(Duration limit, BooleanSupplier cancelled, Duration grace) {
    public static Terms within(Duration limit) {
      return new Terms(limit, () -> false, Duration.ZERO);
    }
  }

  /// Returns when the program has ended. An interrupt leaves it running.
  ///
  /// @param said gets each line of its standard output
  /// @param log gets each line of both outputs
  public Ending await(Terms terms, Consumer<String> said, Consumer<String> log)
      throws IOException, InterruptedException {
    var outTail = new Tail(out);
    var tails = out.equals(err) ? List.<Tail>of() : List.of(new Tail(err));
    Ending ending;
    Duration look = SHORTEST_LOOK;
    while (true) {
      Optional<Ending> now = ending(terms);
      outTail.forward(said.andThen(log));
      for (Tail tail : tails) {
        tail.forward(log);
      }
      if (now.isPresent()) {
        ending = now.get();
        break;
      }
      Thread.sleep(look);
      look = look.multipliedBy(2).compareTo(LONGEST_LOOK) < 0 ? look.multipliedBy(2) : LONGEST_LOOK;
    }
    outTail.finish(said.andThen(log));
    for (Tail tail : tails) {
      tail.finish(log);
    }
    return ending;
  }

  private Optional<Ending> ending(Terms terms) throws IOException, InterruptedException {
    Optional<RunningProcess> process = process();
    // Asked before the exit code is looked for: it is written before the process ends.
    boolean alive = process.isPresent() && process.get().isAlive();
    Optional<Integer> exit = exitCode();
    if (exit.isPresent()) {
      return Optional.of(new Exited(exit.get()));
    }
    if (!alive) {
      return Optional.of(new Lost());
    }
    if (terms.cancelled().getAsBoolean()) {
      end(process.get(), terms.grace());
      return Optional.of(new BrokenOff());
    }
    if (process.get().age().compareTo(terms.limit()) > 0) {
      end(process.get(), terms.grace());
      return Optional.of(new TimedOut());
    }
    return Optional.empty();
  }

  private static void end(RunningProcess process, Duration grace)
      throws IOException, InterruptedException {
    if (!grace.isZero()) {
      process.signalGroup("TERM");
      awaitEnd(process, grace);
    }
    process.signalGroup("KILL");
    awaitEnd(process, FIRST_SIGN);
  }

  private static void awaitEnd(RunningProcess process, Duration atMost)
      throws InterruptedException {
    long until = System.nanoTime() + atMost.toNanos();
    while (process.isAlive() && System.nanoTime() < until) {
      Thread.sleep(SHORTEST_LOOK);
    }
  }

  /// The end of what the program said on its standard output.
  public String output() throws IOException {
    return Tail.last(out);
  }

  /// Whether it has ended, or was started in this boot. Otherwise nothing is known to have run.
  boolean isKnown(String bootId) throws IOException {
    return exitCode().isPresent() || isOf(bootId);
  }

  boolean isRunning() throws IOException {
    Optional<RunningProcess> process = process();
    return process.isPresent() && process.get().isAlive();
  }

  void kill() throws IOException, InterruptedException {
    Optional<RunningProcess> process = process();
    if (process.isPresent()) {
      end(process.get(), Duration.ZERO);
    }
  }

  /// Until it has said who it is, it is not known whether it runs.
  boolean awaitFirstSign() throws IOException, InterruptedException {
    long until = System.nanoTime() + FIRST_SIGN.toNanos();
    while (stat().isEmpty()) {
      if (System.nanoTime() > until) {
        return false;
      }
      Thread.sleep(SHORTEST_LOOK);
    }
    return true;
  }

  boolean hasBegun() throws IOException {
    return !stat().isEmpty();
  }

  /// Whether it was started in this boot.
  boolean isOf(String bootId) throws IOException {
    List<String> stat = stat();
    return !stat.isEmpty() && stat.getFirst().equals(bootId);
  }

  private Optional<RunningProcess> process() throws IOException {
    List<String> stat = stat();
    return stat.size() < 2 ? Optional.empty() : RunningProcess.parse(stat.get(1));
  }

  private List<String> stat() throws IOException {
    try {
      return Files.readAllLines(folder.resolve("stat"));
    } catch (NoSuchFileException _) {
      return List.of();
    }
  }

  private Optional<Integer> exitCode() throws IOException {
    try {
      return Optional.of(Integer.valueOf(Files.readString(folder.resolve("exit")).strip()));
    } catch (NoSuchFileException _) {
      return Optional.empty();
    } catch (NumberFormatException _) {
      // Cut off by a loss of power: nothing is known.
      return Optional.empty();
    }
  }
}
