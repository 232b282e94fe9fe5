package dev.uplift.temporaldev.stack;

import dev.uplift.cli.file.PrivateFile;
import dev.uplift.temporaldev.process.LogFile;
import dev.uplift.temporaldev.process.NetworkLink;
import dev.uplift.temporaldev.process.ProcessSession;
import dev.uplift.temporaldev.process.ProcessTag;
import dev.uplift.temporaldev.process.ProgramStarter;
import dev.uplift.temporaldev.process.Reaper;
import dev.uplift.temporaldev.process.StackException;
import dev.uplift.temporaldev.process.SystemCommands;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.apache.commons.io.file.PathUtils;
import org.apache.commons.io.function.Uncheck;
import org.jspecify.annotations.Nullable;

/// A process of the stack. It can be started, stopped and killed at any time, and keeps its folder and port. Its output
/// is appended to `log` in its folder; `pid` has its process id.
///
/// `stop` and `kill` block until the process has ended, so that a restarted part is never confused with its
/// predecessor. Thread-safe.
public abstract sealed class StackProcess
    permits NatsServer,
        LocalPostgresServer,
        TemporalServer,
        TemporalUiServer,
        UpliftServer,
        LoadBalancer,
        StackHost,
        StackProgram {
  private static final Duration STOP_TIMEOUT = Duration.ofSeconds(15);
  private static final long POLL_MS = 20;

  private final ProcessContext context;
  private final List<NetworkLink> links = new CopyOnWriteArrayList<>();
  private @Nullable Process process;
  private Optional<Stop> lastStop = Optional.empty();

  /// An end by [#stop].
  ///
  /// @param duration from SIGTERM to the end of the process
  /// @param killed it did not end in time and got SIGKILL
  public record Stop(Duration duration, boolean killed) {}

  /// A command and its additional environment variables.
  record LaunchCommand(List<String> command, Map<String, String> environment) {
    LaunchCommand(List<String> command) {
      this(command, Map.of());
    }
  }

  /// A part of a stack: its name in messages, its working folder, the tag of its processes and that of the whole stack.
  record ProcessContext(String name, Path folder, ProcessTag tag, ProcessTag stackTag) {
    /// Returns the folder for temporary files of its processes; emptied at each start.
    Path temporaryFolder() {
      return folder.resolve("tmp");
    }

    /// Returns Java options for a process that leaves no files elsewhere, even if it is killed.
    List<String> javaOptions() {
      return List.of("-XX:-UsePerfData", "-Djava.io.tmpdir=" + temporaryFolder());
    }
  }

  StackProcess(ProcessContext context) {
    this.context = context;
  }

  /// Returns its name in messages and in the stack's folder.
  public final String name() {
    return context.name();
  }

  /// Starts it unless it runs, and blocks until it is ready. Throws with the end of its log if it fails to start.
  public final void start() {
    launch();
    awaitReady();
  }

  /// Starts it unless it runs, without waiting.
  public final void launch() {
    ensureProgram();
    launchIfStopped();
  }

  private synchronized void launchIfStopped() {
    if (isRunning()) {
      return;
    }
    PrivateFile.createFolder(folder());
    Process started = startProcess(prepareLaunch());
    process = started;
    PrivateFile.write(folder().resolve("pid"), started.pid() + "\n");
    onLaunch(started);
  }

  private Process startProcess(LaunchCommand launchCommand) {
    var builder =
        new ProcessBuilder(launchCommand.command())
            .directory(folder().toFile())
            .redirectErrorStream(true)
            .redirectInput(new File("/dev/null"))
            .redirectOutput(ProcessBuilder.Redirect.appendTo(logFile().toFile()));
    // Variables of the shell may be meant for another Uplift.
    builder.environment().keySet().removeIf(StackProcess::isUpliftVariable);
    builder.environment().put("TMPDIR", recreate(context.temporaryFolder()).toString());
    builder.environment().putAll(launchCommand.environment());
    try {
      return Reaper.ofThisJvm().start(builder, context.tag(), context.stackTag(), runner());
    } catch (IOException e) {
      throw new StackException("cannot start %s: %s".formatted(name(), e.getMessage()), e);
    }
  }

  /// Removes the files of an earlier process.
  private static Path recreate(Path folder) {
    if (Files.exists(folder)) {
      Uncheck.run(() -> PathUtils.deleteDirectory(folder));
    }
    return PrivateFile.createFolder(folder);
  }

  private static boolean isUpliftVariable(String variable) {
    return variable.startsWith("UPLIFT_") || variable.startsWith("MICRONAUT_") || variable.startsWith("TEMPORAL_");
  }

  /// Blocks until it is ready. Throws with the end of its log if it ends before or takes too long.
  public final void awaitReady() {
    Process awaited = currentProcess();
    long until = System.nanoTime() + startTimeout().toNanos();
    try {
      while (!isReady()) {
        if (awaited.waitFor(POLL_MS, TimeUnit.MILLISECONDS)) {
          throw new StackException(
              "%s ended with code %d:%n%s".formatted(name(), awaited.exitValue(), LogFile.tail(logFile())));
        }
        if (System.nanoTime() > until) {
          throw new StackException(
              "%s is not ready after %d s:%n%s".formatted(name(), startTimeout().toSeconds(), LogFile.tail(logFile())));
        }
      }
    } catch (InterruptedException e) {
      throw StackException.interrupted("awaiting " + name(), e);
    }
  }

  /// Blocks until it has ended by itself. Throws with the end of its log if it failed or takes too long.
  public final void awaitEnd(Duration timeout) {
    Process awaited = currentProcess();
    try {
      boolean ended = awaited.waitFor(timeout.toMillis(), TimeUnit.MILLISECONDS);
      if (!ended || awaited.exitValue() != 0) {
        String how =
            ended ? "ended with code " + awaited.exitValue() : "has not ended after " + timeout.toSeconds() + " s";
        throw new StackException("%s %s:%n%s".formatted(name(), how, LogFile.tail(logFile())));
      }
    } catch (InterruptedException e) {
      throw StackException.interrupted("awaiting the end of " + name(), e);
    }
  }

  /// Ends it with SIGTERM, and kills it after 15 seconds, as [#lastStop] says. Does nothing if it does not run.
  public final synchronized void stop() {
    Process running = process;
    if (running == null) {
      return;
    }
    try {
      long begin = System.nanoTime();
      running.destroy();
      boolean ended = running.waitFor(STOP_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
      if (!ended) {
        running.destroyForcibly().waitFor();
      }
      lastStop = Optional.of(new Stop(Duration.ofNanos(System.nanoTime() - begin), !ended));
    } catch (InterruptedException e) {
      running.destroyForcibly();
      throw StackException.interrupted("stopping " + name(), e);
    }
    killLeftovers();
  }

  /// Returns how the last [#stop] ended it.
  public final synchronized Optional<Stop> lastStop() {
    return lastStop;
  }

  /// Kills it with SIGKILL. Does nothing if it does not run.
  public final synchronized void kill() {
    Process running = process;
    if (running == null) {
      return;
    }
    try {
      running.destroyForcibly().waitFor();
    } catch (InterruptedException e) {
      throw StackException.interrupted("killing " + name(), e);
    }
    killLeftovers();
  }

  /// Suspends it, as on an overloaded machine or behind a dead link, until [#resume].
  public final void pause() {
    signal("STOP");
  }

  public final void resume() {
    signal("CONT");
  }

  final void signal(String signal) {
    List<String> command = new ArrayList<>(List.of("/bin/sh", "-c", "kill \"$@\"", "kill", "-s", signal));
    processes().forEach(each -> command.add(Long.toString(each.pid())));
    if (SystemCommands.run(command).isEmpty()) {
      throw new StackException("cannot send %s to %s: %s".formatted(signal, name(), command));
    }
  }

  /// Opens a link from this part to another one at a port.
  final NetworkLink openLink(int port) {
    NetworkLink link = new NetworkLink(port);
    addLink(link);
    return link;
  }

  /// Adds a link that another part has opened to this one.
  final void addLink(NetworkLink link) {
    links.add(link);
  }

  /// Cuts it off from the parts that [StackBuilder#serverLinks] says, and from none without that: see
  /// [NetworkLink#cut]. Cut off one nats-server at a time: two have links in common.
  public final void cutOff() {
    links.forEach(NetworkLink::cut);
  }

  /// Ends [#cutOff]. Safe to repeat.
  public final void reconnect() {
    links.forEach(NetworkLink::restore);
  }

  final void closeLinks() {
    links.forEach(NetworkLink::close);
  }

  /// Returns all processes of this part.
  List<ProcessHandle> processes() {
    return List.of(currentProcess().toHandle());
  }

  /// Kills other processes of this part after the end of its main process.
  void killLeftovers() {}

  public final synchronized boolean isRunning() {
    return process != null && process.isAlive();
  }

  /// Returns the id of the running or last process.
  public final long pid() {
    return currentProcess().pid();
  }

  private synchronized Process currentProcess() {
    if (process == null) {
      throw new IllegalStateException(name() + " has not been started");
    }
    return process;
  }

  /// Returns its working folder.
  public final Path folder() {
    return context.folder();
  }

  public final Path logFile() {
    return folder().resolve("log");
  }

  final ProcessContext context() {
    return context;
  }

  final ProcessTag tag() {
    return context.tag();
  }

  /// Finds or builds its program. Not under the lock, because a build takes minutes and must not delay the end of the
  /// stack.
  void ensureProgram() {}

  /// Where its program runs: as a process of this machine.
  ProgramStarter runner() {
    return ProcessSession::start;
  }

  /// Writes its files before each start and returns the command.
  abstract LaunchCommand prepareLaunch();

  abstract boolean isReady();

  /// Called with each new process, under the lock.
  void onLaunch(Process process) {}

  Duration startTimeout() {
    return Duration.ofMinutes(2);
  }
}
