package dev.uplift.agent.driver.process;

import dev.uplift.agent.driver.process.ExitStatus.Cancelled;
import dev.uplift.agent.driver.process.ExitStatus.Exited;
import dev.uplift.agent.driver.process.ExitStatus.KilledExternally;
import dev.uplift.agent.driver.process.ExitStatus.TimedOut;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/// One run of a program, as its folder shows it: `stat` names its process and boot, `exit` says how it ended, `out` and
/// `err` hold its output.
public final class ProgramRun {
  private static final Duration MIN_POLL_INTERVAL = Duration.ofMillis(5);
  private static final Duration MAX_POLL_INTERVAL = Duration.ofMillis(250);
  private static final Duration START_TIMEOUT = Duration.ofSeconds(5);

  private final Path folder;
  private final Path out;
  private final Path err;

  ProgramRun(Path folder, Path out, Path err) {
    this.folder = folder;
    this.out = out;
    this.err = err;
  }

  /// Bounds of one run.
  ///
  /// @param timeout counted from its start, also when it is found again
  /// @param cancelled whether it is to be broken off
  /// @param grace between asking it to end and ending it
  public record Limits(Duration timeout, BooleanSupplier cancelled, Duration grace) {
    public static Limits within(Duration limit) {
      return new Limits(limit, () -> false, Duration.ZERO);
    }
  }

  /// Returns when the program has ended. An interrupt leaves it running.
  ///
  /// @param said gets each line of its standard output
  /// @param log gets each line of both outputs
  public ExitStatus await(Limits limits, Consumer<String> said, Consumer<String> log)
      throws IOException, InterruptedException {
    var outTail = new OutputTail(out);
    var tails = out.equals(err) ? List.<OutputTail>of() : List.of(new OutputTail(err));
    ExitStatus exitStatus;
    Duration look = MIN_POLL_INTERVAL;
    while (true) {
      Optional<ExitStatus> now = pollExitStatus(limits);
      outTail.forward(said.andThen(log));
      for (OutputTail outputTail : tails) {
        outputTail.forward(log);
      }
      if (now.isPresent()) {
        exitStatus = now.get();
        break;
      }
      Thread.sleep(look);
      look = look.multipliedBy(2).compareTo(MAX_POLL_INTERVAL) < 0 ? look.multipliedBy(2) : MAX_POLL_INTERVAL;
    }
    outTail.forwardRest(said.andThen(log));
    for (OutputTail outputTail : tails) {
      outputTail.forwardRest(log);
    }
    return exitStatus;
  }

  private Optional<ExitStatus> pollExitStatus(Limits limits) throws IOException, InterruptedException {
    Optional<RunningProcess> process = process();
    // Asked before the exit code is looked for: it is written before the process ends.
    boolean alive = process.isPresent() && process.get().isAlive();
    Optional<Integer> exit = exitCode();
    if (exit.isPresent()) {
      return Optional.of(new Exited(exit.get()));
    }
    if (!alive) {
      return Optional.of(new KilledExternally());
    }
    if (limits.cancelled().getAsBoolean()) {
      end(process.get(), limits.grace());
      return Optional.of(new Cancelled());
    }
    if (process.get().age().compareTo(limits.timeout()) > 0) {
      end(process.get(), limits.grace());
      return Optional.of(new TimedOut());
    }
    return Optional.empty();
  }

  private static void end(RunningProcess process, Duration grace) throws IOException, InterruptedException {
    if (!grace.isZero()) {
      process.signalGroup("TERM");
      awaitEnd(process, grace);
    }
    process.signalGroup("KILL");
    awaitEnd(process, START_TIMEOUT);
  }

  private static void awaitEnd(RunningProcess process, Duration atMost) throws InterruptedException {
    long until = System.nanoTime() + atMost.toNanos();
    while (process.isAlive() && System.nanoTime() < until) {
      Thread.sleep(MIN_POLL_INTERVAL);
    }
  }

  /// The end of what the program said on its standard output.
  public String output() throws IOException {
    return OutputTail.last(out);
  }

  /// Returns whether it has ended, or was started in this boot. Otherwise nothing is known to have run.
  boolean isKnown(String bootId) throws IOException {
    return exitCode().isPresent() || isFromBoot(bootId);
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

  /// Waits until it has named its process, so that it is known whether it runs.
  boolean awaitStarted() throws IOException, InterruptedException {
    long until = System.nanoTime() + START_TIMEOUT.toNanos();
    while (stat().isEmpty()) {
      if (System.nanoTime() > until) {
        return false;
      }
      Thread.sleep(MIN_POLL_INTERVAL);
    }
    return true;
  }

  boolean hasStarted() throws IOException {
    return !stat().isEmpty();
  }

  /// Returns whether it was started in this boot.
  boolean isFromBoot(String bootId) throws IOException {
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
