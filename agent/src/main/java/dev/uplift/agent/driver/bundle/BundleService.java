package dev.uplift.agent.driver.bundle;

import dev.uplift.agent.driver.DiskFailures;
import dev.uplift.agent.driver.Host;
import dev.uplift.agent.driver.Job;
import dev.uplift.agent.driver.PackageContext;
import dev.uplift.agent.driver.PackageOptions;
import dev.uplift.agent.driver.PackageState;
import dev.uplift.agent.driver.StepFailed;
import dev.uplift.agent.driver.process.ExitStatus;
import dev.uplift.agent.driver.process.Program;
import dev.uplift.agent.driver.process.ProgramRun;
import dev.uplift.agent.driver.process.ProgramRunner;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/// The service that runs from a version's folder, controlled by the commands that its release names. Each runs in the
/// version's folder, by the shell.
final class BundleService {
  private static final Duration RESTART_TIMEOUT = Duration.ofMinutes(2);
  private static final Duration HEALTH_TIMEOUT = Duration.ofMinutes(1);
  private static final Duration HEALTH_CHECK_TIMEOUT = Duration.ofSeconds(10);
  private static final Duration VERSION_TIMEOUT = Duration.ofSeconds(10);
  private static final Duration HEALTH_CHECK_INTERVAL = Duration.ofMillis(500);

  private static final HealthCheck NO_CHECK = new HealthCheck(new ExitStatus.TimedOut(), List.of());
  private static final int MAX_LINE = 200;

  /// A service that writes to the output that it inherited fills a disk sooner or later.
  private static final long MAX_OUTPUT = 1 << 20;

  private final PackageContext packageContext;
  private final ProgramRunner programs;

  BundleService(PackageContext packageContext, ProgramRunner programs) {
    this.packageContext = packageContext;
    this.programs = programs;
  }

  /// A version as something to run.
  record InstalledVersion(String version, Path folder, PackageOptions arguments) {}

  /// Restarts the service from this version; once per command, also when the agent is killed meanwhile.
  void restart(InstalledVersion installedVersion, Job job) throws StepFailed {
    run("restart", installedVersion, job);
  }

  /// If nothing was installed before, a rollback stops the service.
  void stop(InstalledVersion installedVersion, Job job) throws StepFailed {
    run("stop", installedVersion, job);
  }

  private void run(String name, InstalledVersion installedVersion, Job job) throws StepFailed {
    var line = installedVersion.arguments().text(name);
    if (line.isEmpty()) {
      return;
    }
    job.reportProgress(name + " " + installedVersion.version());
    Duration limit = installedVersion.arguments().seconds(name + "_timeout_seconds", RESTART_TIMEOUT);
    ExitStatus exitStatus =
        running(() ->
            programs
                .startOrAttach(job.command().id() + "-" + name, program(installedVersion, line.get()), output())
                .await(ProgramRun.Limits.within(limit), _ -> {}, job::log));
    if (!exitStatus.isSuccess()) {
      throw StepFailed.fatal(
          name + "-failed", "%s of %s %s".formatted(name, installedVersion.version(), exitStatus.text()));
    }
  }

  /// Returns when the health command has ended with 0. It is tried until its time is over.
  void awaitHealth(InstalledVersion installedVersion, Job job) throws StepFailed {
    var line = installedVersion.arguments().text("health");
    if (line.isEmpty()) {
      return;
    }
    job.reportProgress("awaits health of " + installedVersion.version());
    Duration within = installedVersion.arguments().seconds("health_timeout_seconds", HEALTH_TIMEOUT);
    Duration oneTry = installedVersion.arguments().seconds("health_check_timeout_seconds", HEALTH_CHECK_TIMEOUT);
    long until = System.nanoTime() + within.toNanos();
    HealthCheck last = NO_CHECK;
    while (true) {
      Duration limit = shorter(oneTry, Duration.ofNanos(until - System.nanoTime()));
      HealthCheck now = checkHealth(program(installedVersion, line.get()), limit);
      if (now.ending().isSuccess()) {
        return;
      }
      last = now.isMoreInformativeThan(last) ? now : last;
      if (System.nanoTime() + HEALTH_CHECK_INTERVAL.toNanos() > until) {
        last.said().forEach(job::log);
        throw StepFailed.fatal(
            "health-failed",
            "%s is not healthy within %d s: the health command %s"
                .formatted(installedVersion.version(), within.toSeconds(), last.text()));
      }
      running(() -> {
        Thread.sleep(HEALTH_CHECK_INTERVAL);
        return now;
      });
    }
  }

  /// One run of the health command.
  ///
  /// @param said on either output
  private record HealthCheck(ExitStatus ending, List<String> said) {
    /// The last try is cut off when the time is over, and then knows nothing.
    boolean isMoreInformativeThan(HealthCheck before) {
      return !(ending instanceof ExitStatus.TimedOut) || before.ending instanceof ExitStatus.TimedOut;
    }

    /// With the last line of output, so that the error alone is enough to understand it.
    String text() {
      String line = said.stream().map(String::strip).reduce("", (_, next) -> next);
      String cut = line.substring(0, Math.min(line.length(), MAX_LINE));
      return cut.isEmpty() ? ending.text() : ending.text() + ": " + cut;
    }
  }

  private HealthCheck checkHealth(Program program, Duration limit) throws StepFailed {
    var said = new ArrayList<String>();
    ExitStatus exitStatus = running(() -> programs.runShort("health", program, limit, said::add)).exitStatus();
    return new HealthCheck(exitStatus, said);
  }

  /// The version that the service itself reports; the installed one if it has no way to report it.
  String version(InstalledVersion installedVersion) throws StepFailed {
    var line = installedVersion.arguments().text("version");
    if (line.isEmpty()) {
      return installedVersion.version();
    }
    Duration limit = installedVersion.arguments().seconds("version_timeout_seconds", VERSION_TIMEOUT);
    ProgramRunner.ProgramResult programResult =
        running(() -> programs.runShort("version", program(installedVersion, line.get()), limit, _ -> {}));
    String said = programResult.output().lines().findFirst().orElse("").strip();
    return programResult.exitStatus().isSuccess() && !said.isEmpty() ? said : PackageState.UNKNOWN;
  }

  /// Truncates the output that a service writes to in the background when it gets long.
  void trimOutput() throws IOException {
    Path output = output();
    if (Files.exists(output) && Files.size(output) > MAX_OUTPUT) {
      packageContext.host().files().truncate(output, 0);
    }
  }

  private Path output() {
    return packageContext.stateFolder().resolve("service.out");
  }

  private Program program(InstalledVersion installedVersion, String line) {
    return Program.shell(line, installedVersion.folder(), environment(installedVersion));
  }

  private SortedMap<String, String> environment(InstalledVersion installedVersion) {
    Host host = packageContext.host();
    var environment = new TreeMap<String, String>();
    packageContext.settings().addToEnvironment(environment, "UPLIFT_SETTING_");
    environment.put("UPLIFT_TENANT", host.tenant());
    environment.put("UPLIFT_HOST", host.name());
    environment.put("UPLIFT_PACKAGE", packageContext.packageName());
    environment.put("UPLIFT_VERSION", installedVersion.version());
    environment.put("UPLIFT_FOLDER", packageContext.packageFolder().toString());
    environment.put("UPLIFT_VERSION_FOLDER", installedVersion.folder().toString());
    return environment;
  }

  private static Duration shorter(Duration a, Duration b) {
    return a.compareTo(b) < 0 ? a : b;
  }

  private interface Run<T> {
    T run() throws IOException, StepFailed, InterruptedException;
  }

  private <T> T running(Run<T> run) throws StepFailed {
    try {
      return run.run();
    } catch (IOException e) {
      throw DiskFailures.stepFailed(e, packageContext.host().files(), packageContext.stateFolder());
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      throw StepFailed.retryable("interrupted", "the agent is ending");
    }
  }
}
