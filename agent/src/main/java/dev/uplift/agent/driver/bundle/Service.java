package dev.uplift.agent.driver.bundle;

import dev.uplift.agent.driver.DiskTrouble;
import dev.uplift.agent.driver.Found;
import dev.uplift.agent.driver.Host;
import dev.uplift.agent.driver.Job;
import dev.uplift.agent.driver.Options;
import dev.uplift.agent.driver.Setup;
import dev.uplift.agent.driver.StepFailed;
import dev.uplift.agent.driver.session.Ending;
import dev.uplift.agent.driver.session.Program;
import dev.uplift.agent.driver.session.Session;
import dev.uplift.agent.driver.session.Sessions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/// What runs from a version's folder, handled by the commands that its release names. Each runs in
/// the version's folder, by the shell.
final class Service {
  private static final Duration RESTART = Duration.ofMinutes(2);
  private static final Duration HEALTH = Duration.ofMinutes(1);
  private static final Duration HEALTH_TRY = Duration.ofSeconds(10);
  private static final Duration VERSION = Duration.ofSeconds(10);
  private static final Duration BETWEEN_TRIES = Duration.ofMillis(500);

  private static final Try NONE = new Try(new Ending.TimedOut(), List.of());
  private static final int LONGEST_LINE = 200;

  /// A service that writes to the output that it inherited fills a disk sooner or later.
  private static final long MOST_OUTPUT = 1 << 20;

  private final Setup setup;
  private final Sessions sessions;

  Service(Setup setup, Sessions sessions) {
    this.setup = setup;
    this.sessions = sessions;
  }

  /// A version as something to run.
  record Installed(String version, Path folder, Options arguments) {}

  /// Starts the service anew from this version; once per command, also when the agent is killed
  /// meanwhile.
  void restart(Installed installed, Job job) throws StepFailed {
    run("restart", installed, job);
  }

  /// Where nothing was installed before, going back is to have nothing run.
  void stop(Installed installed, Job job) throws StepFailed {
    run("stop", installed, job);
  }

  private void run(String name, Installed installed, Job job) throws StepFailed {
    var line = installed.arguments().text(name);
    if (line.isEmpty()) {
      return;
    }
    job.progress(name + " " + installed.version());
    Duration limit = installed.arguments().seconds(name + "_s", RESTART);
    Ending ending =
        running(() ->
            sessions
                .open(job.command().id() + "-" + name, program(installed, line.get()), output())
                .await(Session.Terms.within(limit), _ -> {}, job::log));
    if (!ending.isSuccess()) {
      throw StepFailed.fatal(
          name + "-failed", "%s of %s %s".formatted(name, installed.version(), ending.text()));
    }
  }

  /// Returns when the health command has ended with 0. It is tried until its time is over.
  void awaitHealth(Installed installed, Job job) throws StepFailed {
    var line = installed.arguments().text("health");
    if (line.isEmpty()) {
      return;
    }
    job.progress("awaits health of " + installed.version());
    Duration within = installed.arguments().seconds("health_s", HEALTH);
    Duration oneTry = installed.arguments().seconds("health_try_s", HEALTH_TRY);
    long until = System.nanoTime() + within.toNanos();
    Try last = NONE;
    while (true) {
      Duration limit = shorter(oneTry, Duration.ofNanos(until - System.nanoTime()));
      Try now = tryHealth(program(installed, line.get()), limit);
      if (now.ending().isSuccess()) {
        return;
      }
      last = now.saysMoreThan(last) ? now : last;
      if (System.nanoTime() + BETWEEN_TRIES.toNanos() > until) {
        last.said().forEach(job::log);
        throw StepFailed.fatal(
            "health-failed",
            "%s is not healthy within %d s: the health command %s"
                .formatted(installed.version(), within.toSeconds(), last.text()));
      }
      running(() -> {
        Thread.sleep(BETWEEN_TRIES);
        return now;
      });
    }
  }

  /// One run of the health command.
  ///
  /// @param said on either output
  private record Try(Ending ending, List<String> said) {
    /// The last try is cut off when the time is over, and then knows nothing.
    boolean saysMoreThan(Try before) {
      return !(ending instanceof Ending.TimedOut) || before.ending instanceof Ending.TimedOut;
    }

    /// With the last line, for whoever reads the error and nothing else.
    String text() {
      String line = said.stream().map(String::strip).reduce("", (_, next) -> next);
      String cut = line.substring(0, Math.min(line.length(), LONGEST_LINE));
      return cut.isEmpty() ? ending.text() : ending.text() + ": " + cut;
    }
  }

  private Try tryHealth(Program program, Duration limit) throws StepFailed {
    var said = new ArrayList<String>();
    Ending ending = running(() -> sessions.probe("health", program, limit, said::add)).ending();
    return new Try(ending, said);
  }

  /// What the service itself says that it is; what is installed, where it has no way to say.
  String version(Installed installed) throws StepFailed {
    var line = installed.arguments().text("version");
    if (line.isEmpty()) {
      return installed.version();
    }
    Duration limit = installed.arguments().seconds("version_s", VERSION);
    Sessions.Answer answer =
        running(() -> sessions.probe("version", program(installed, line.get()), limit, _ -> {}));
    String said = answer.output().lines().findFirst().orElse("").strip();
    return answer.ending().isSuccess() && !said.isEmpty() ? said : Found.UNKNOWN;
  }

  /// What a service left behind in the output that it inherited is cut off when it gets long.
  void trimOutput() throws IOException {
    Path output = output();
    if (Files.exists(output) && Files.size(output) > MOST_OUTPUT) {
      setup.host().files().truncate(output, 0);
    }
  }

  private Path output() {
    return setup.state().resolve("service.out");
  }

  private Program program(Installed installed, String line) {
    return Program.shell(line, installed.folder(), environment(installed));
  }

  private SortedMap<String, String> environment(Installed installed) {
    Host host = setup.host();
    var environment = new TreeMap<String, String>();
    setup.settings().addTo(environment, "UPLIFT_SETTING_");
    environment.put("UPLIFT_TENANT", host.tenant());
    environment.put("UPLIFT_HOST", host.name());
    environment.put("UPLIFT_PACKAGE", setup.packageName());
    environment.put("UPLIFT_VERSION", installed.version());
    environment.put("UPLIFT_FOLDER", setup.folder().toString());
    environment.put("UPLIFT_VERSION_FOLDER", installed.folder().toString());
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
      throw DiskTrouble.of(e, setup.host().files(), setup.state());
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      throw StepFailed.retryable("interrupted", "the agent is ending");
    }
  }
}
