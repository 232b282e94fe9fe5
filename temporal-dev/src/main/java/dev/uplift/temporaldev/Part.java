package dev.uplift.temporaldev;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// A process of the stack. It can be started, stopped, killed and started again at any time, and is
/// then where it was: same folder, same port. Its output is appended to `log` in its folder, its id
/// stands in `pid`.
///
/// `stop` and `kill` return when the process is gone, so that a part that is started after them can
/// never be mistaken for its predecessor. Safe for use by several threads.
public abstract sealed class Part permits Nats, Temporal, Server, Host, Program {
  private static final Duration STOPS_WITHIN = Duration.ofSeconds(15);
  private static final long POLL_MS = 20;

  private final Seat seat;
  private @Nullable Process process;

  Part(Seat seat) {
    this.seat = seat;
  }

  /// What it is called in messages and in the stack's folder.
  public final String name() {
    return seat.name();
  }

  /// Starts it, unless it runs, and returns when it serves. Throws with the end of its log when it
  /// does not come up.
  public final void start() {
    launch();
    awaitReady();
  }

  /// Starts it, unless it runs, and does not wait.
  public final void launch() {
    provide();
    launchNow();
  }

  private synchronized void launchNow() {
    if (isRunning()) {
      return;
    }
    PrivateFile.folder(folder());
    Process started = spawn(prepare());
    process = started;
    PrivateFile.write(folder().resolve("pid"), started.pid() + "\n");
    launched(started);
  }

  private Process spawn(Launch launch) {
    List<String> command = new ArrayList<>(Session.prefix());
    command.addAll(launch.command());
    var builder =
        new ProcessBuilder(command)
            .directory(folder().toFile())
            .redirectErrorStream(true)
            .redirectInput(new File("/dev/null"))
            .redirectOutput(ProcessBuilder.Redirect.appendTo(log().toFile()));
    // What somebody set for another Uplift is not meant for this one.
    builder.environment().keySet().removeIf(Part::isOurs);
    builder.environment().put("TMPDIR", emptied(seat.temporary()).toString());
    builder.environment().putAll(launch.environment());
    try {
      return Reaper.ofThisJvm().start(builder, seat.tag(), seat.stack());
    } catch (IOException e) {
      throw new StackFailure("cannot start %s: %s".formatted(name(), e.getMessage()), e);
    }
  }

  /// What a killed process has left there is of no use to the next.
  private static Path emptied(Path folder) {
    if (Files.exists(folder)) {
      Folders.delete(folder);
    }
    return PrivateFile.folder(folder);
  }

  private static boolean isOurs(String variable) {
    return variable.startsWith("UPLIFT_")
        || variable.startsWith("MICRONAUT_")
        || variable.startsWith("TEMPORAL_");
  }

  /// Returns when it serves. Throws with the end of its log when it ends before, or takes too long.
  public final void awaitReady() {
    Process awaited = current();
    long until = System.nanoTime() + readyWithin().toNanos();
    try {
      while (!isReady()) {
        if (awaited.waitFor(POLL_MS, TimeUnit.MILLISECONDS)) {
          throw new StackFailure(
              "%s ended with code %d:%n%s".formatted(name(), awaited.exitValue(), Log.tail(log())));
        }
        if (System.nanoTime() > until) {
          throw new StackFailure(
              "%s is not ready after %d s:%n%s"
                  .formatted(name(), readyWithin().toSeconds(), Log.tail(log())));
        }
      }
    } catch (InterruptedException e) {
      throw StackFailure.interrupted("awaiting " + name(), e);
    }
  }

  /// Asks it to end, and kills it when it has not after 15 seconds. Nothing when it does not run.
  public final synchronized void stop() {
    Process running = process;
    if (running == null) {
      return;
    }
    try {
      running.destroy();
      if (!running.waitFor(STOPS_WITHIN.toMillis(), TimeUnit.MILLISECONDS)) {
        running.destroyForcibly().waitFor();
      }
    } catch (InterruptedException e) {
      running.destroyForcibly();
      throw StackFailure.interrupted("stopping " + name(), e);
    }
    endWhatIsLeft();
  }

  /// Ends it as `kill -9` does. Nothing when it does not run.
  public final synchronized void kill() {
    Process running = process;
    if (running == null) {
      return;
    }
    try {
      running.destroyForcibly().waitFor();
    } catch (InterruptedException e) {
      throw StackFailure.interrupted("killing " + name(), e);
    }
    endWhatIsLeft();
  }

  /// Stands still, as on an overloaded machine or behind a dead link, until [#resume].
  public final void pause() {
    signal("STOP");
  }

  public final void resume() {
    signal("CONT");
  }

  final void signal(String signal) {
    List<String> command =
        new ArrayList<>(List.of("/bin/sh", "-c", "kill \"$@\"", "kill", "-s", signal));
    processes().forEach(each -> command.add(Long.toString(each.pid())));
    if (Commands.ask(command).isEmpty()) {
      throw new StackFailure("cannot send %s to %s: %s".formatted(signal, name(), command));
    }
  }

  /// All that is it.
  List<ProcessHandle> processes() {
    return List.of(current().toHandle());
  }

  /// After the end of its process: whatever that has started and is a part of it, too.
  void endWhatIsLeft() {}

  public final synchronized boolean isRunning() {
    return process != null && process.isAlive();
  }

  /// The id of the process that runs, or ran last.
  public final long pid() {
    return current().pid();
  }

  private synchronized Process current() {
    if (process == null) {
      throw new IllegalStateException(name() + " has not been started");
    }
    return process;
  }

  /// The folder it works in and keeps its files in.
  public final Path folder() {
    return seat.folder();
  }

  public final Path log() {
    return folder().resolve("log");
  }

  final Seat seat() {
    return seat;
  }

  final Tag tag() {
    return seat.tag();
  }

  /// Finds or builds its program: not under the lock, for a build takes minutes, and whoever ends
  /// the stack meanwhile must not wait for it.
  void provide() {}

  /// Writes what it needs before each start, and says what to run.
  abstract Launch prepare();

  abstract boolean isReady();

  /// Called with each new process, still under the lock.
  void launched(Process process) {}

  Duration readyWithin() {
    return Duration.ofMinutes(2);
  }
}
