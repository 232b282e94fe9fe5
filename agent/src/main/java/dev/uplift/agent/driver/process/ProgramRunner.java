package dev.uplift.agent.driver.process;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.uplift.agent.driver.Host;
import dev.uplift.agent.driver.StepFailed;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.stream.Stream;

/// Starts programs, and finds again what was started.
public final class ProgramRunner {
  private static final int MAX_RUNS = 16;

  private static final Set<String> AGENT_VARIABLES =
      Set.of("NOTIFY_SOCKET", "INVOCATION_ID", "JOURNAL_STREAM", "SYSTEMD_EXEC_PID", "MALLOC_ARENA_MAX");
  private static final List<String> AGENT_VARIABLE_PREFIXES =
      List.of("WATCHDOG_", "LISTEN_", "MEMORY_PRESSURE_", "UPLIFT_AGENT_");

  /// A second one of the same name in the same boot stops at `mkdir`, so it is safe to start a program of which it is
  /// not known whether it was started.
  private static final String WRAPPER =
      """
      run=$1 boot=$2 in=$3 out=$4 err=$5
      shift 5
      mkdir "$run/claim-$boot" 2>/dev/null || exit 0
      IFS= read -r stat </proc/$$/stat || exit 125
      printf '%s\\n%s\\n' "$boot" "$stat" >"$run/stat.new" || exit 125
      mv "$run/stat.new" "$run/stat" || exit 125
      "$@" <"$in" >>"$out" 2>>"$err"
      echo $? >"$run/exit.new" && mv "$run/exit.new" "$run/exit"
      """;

  /// In a systemd scope of its own, so that what it leaves behind is neither under the limits of the agent's unit nor
  /// taken for a part of it. Without one where systemd refuses: a second start is harmless.
  private static final String SCOPE =
      """
      systemd-run --scope --quiet --collect --slice=uplift-packages.slice -- "$@" || "$@"
      """;

  private final Host host;
  private final Path folder;
  private final boolean isSystemdUnit;
  private final Map<String, ReentrantLock> shortRunLocks = new ConcurrentHashMap<>();

  public ProgramRunner(Host host, Path folder) {
    this(host, folder, System.getenv().containsKey("NOTIFY_SOCKET"));
  }

  /// @param isSystemdUnit whether the agent runs as a unit of systemd
  ProgramRunner(Host host, Path folder, boolean isSystemdUnit) {
    this.host = host;
    this.folder = folder;
    this.isSystemdUnit = isSystemdUnit;
  }

  /// Starts a run of this name, or attaches to one that was started earlier and still runs or has ended. It is started
  /// again only if the power failed before its exit code was stored.
  public ProgramRun startOrAttach(String name, Program program) throws IOException, StepFailed, InterruptedException {
    Path run = folder.resolve(name);
    ProgramRun programRun = new ProgramRun(run, run.resolve("out"), run.resolve("err"));
    if (!programRun.isKnown(host.bootId().get())) {
      startFresh(programRun, run, program, List.of(run.resolve("out"), run.resolve("err")));
    }
    return programRun;
  }

  /// As above, for a program that leaves others behind. They end with the boot, so one that was started in an earlier
  /// boot is started again. They may continue writing to `output`, which is emptied at the start.
  public ProgramRun startOrAttach(String name, Program program, Path output)
      throws IOException, StepFailed, InterruptedException {
    Path run = folder.resolve(name);
    ProgramRun programRun = new ProgramRun(run, output, output);
    if (!programRun.isFromBoot(host.bootId().get())) {
      if (!Files.exists(run) && Files.exists(output)) {
        host.files().truncate(output, 0);
      }
      startFresh(programRun, run, program, List.of(output, output));
    }
    return programRun;
  }

  private void startFresh(ProgramRun programRun, Path run, Program program, List<Path> outputs)
      throws IOException, StepFailed, InterruptedException {
    if (programRun.hasStarted()) {
      host.files().deleteTree(run);
    }
    if (!Files.exists(run)) {
      forgetOldest();
      host.files().createFolders(run);
    }
    List<String> scope = isSystemdUnit ? List.of("sh", "-c", SCOPE, "uplift-scope") : List.of();
    start(scope, run, host.bootId().get(), program, outputs);
    if (!programRun.awaitStarted()) {
      // Claimed by a process that was killed before it named itself. The next time starts again.
      host.files().deleteTree(run);
    }
  }

  /// Returns whether a run of this name was started and need not be started again.
  public boolean isKnown(String name) throws IOException {
    Path run = folder.resolve(name);
    return new ProgramRun(run, run, run).isKnown(host.bootId().get());
  }

  /// Forgets a run, so that the next of that name is started again.
  public void forget(String name) throws IOException {
    host.files().deleteTree(folder.resolve(name));
  }

  /// The output of a short program, and how it ended.
  public record ProgramResult(ExitStatus exitStatus, String output) {}

  /// Runs a short program now. One of the same name that an earlier agent left hanging is killed. In a session of its
  /// own too, so that all of it can be killed.
  public ProgramResult runShort(String name, Program program, Duration limit, Consumer<String> log)
      throws IOException, StepFailed, InterruptedException {
    ReentrantLock one = shortRunLocks.computeIfAbsent(name, _ -> new ReentrantLock());
    one.lockInterruptibly();
    try {
      return runShort(folder.resolve("short-" + name), program, limit, log);
    } finally {
      one.unlock();
    }
  }

  private ProgramResult runShort(Path run, Program program, Duration limit, Consumer<String> log)
      throws IOException, StepFailed, InterruptedException {
    ProgramRun programRun = new ProgramRun(run, run.resolve("out"), run.resolve("err"));
    programRun.kill();
    clear(run);
    String bootId = host.bootId().get();
    start(List.of(), run, bootId, program, List.of(run.resolve("out"), run.resolve("err")));
    programRun.awaitStarted();
    ExitStatus exitStatus = programRun.await(ProgramRun.Limits.within(limit), _ -> {}, log);
    return new ProgramResult(exitStatus, programRun.output());
  }

  /// Nothing here has to survive a loss of power.
  private void clear(Path run) throws IOException {
    host.files().createFolders(run);
    try (Stream<Path> left = Files.list(run)) {
      for (Path each : left.toList()) {
        host.files().delete(each);
      }
    }
  }

  /// @param before what starts the line
  private void start(List<String> before, Path run, String bootId, Program program, List<Path> outputs)
      throws IOException, StepFailed {
    var line = new ArrayList<>(before);
    line.addAll(List.of("setsid", "sh", "-c", WRAPPER, "uplift-session"));
    line.add(run.toString());
    line.add(bootId);
    line.add(writeInput(run, program.input()).toString());
    outputs.forEach(output -> line.add(output.toString()));
    line.addAll(program.command());
    var builder = new ProcessBuilder(line).directory(program.folder().toFile());
    removeAgentVariables(builder.environment());
    builder.environment().putAll(program.environment());
    builder.redirectInput(new File("/dev/null"));
    builder.redirectOutput(ProcessBuilder.Redirect.DISCARD);
    builder.redirectError(ProcessBuilder.Redirect.DISCARD);
    try {
      builder.start();
    } catch (IOException e) {
      throw StepFailed.needsPerson("program-start-failed", String.valueOf(e.getMessage()));
    }
  }

  /// Returns the file that becomes the program's standard input: not a pipe, which would break with the agent.
  private Path writeInput(Path run, String input) throws IOException {
    if (input.isEmpty()) {
      return Path.of("/dev/null");
    }
    Path file = run.resolve("in");
    host.files().write(file, input.getBytes(UTF_8));
    return file;
  }

  /// Programs of packages have no business with the unit of the agent, where a message in its name may restart it, nor
  /// with what only concerns its own process.
  static void removeAgentVariables(Map<String, String> environment) {
    environment
        .keySet()
        .removeIf(
            name -> AGENT_VARIABLES.contains(name) || AGENT_VARIABLE_PREFIXES.stream().anyMatch(name::startsWith));
  }

  private void forgetOldest() throws IOException {
    if (!Files.isDirectory(folder)) {
      return;
    }
    List<Path> runs;
    try (Stream<Path> all = Files.list(folder)) {
      runs = all.filter(run -> !run.getFileName().toString().startsWith("short-")).toList();
    }
    List<Path> oldestFirst = new ArrayList<>(runs);
    oldestFirst.sort(Comparator.comparingLong(run -> run.toFile().lastModified()));
    for (Path run : oldestFirst.subList(0, Math.max(0, runs.size() - MAX_RUNS))) {
      if (!new ProgramRun(run, run, run).isRunning()) {
        host.files().deleteTree(run);
      }
    }
  }
}
