package dev.uplift.agent.driver.script;

import dev.uplift.agent.driver.Driver;
import dev.uplift.agent.driver.DriverStep;
import dev.uplift.agent.driver.HaltRequest;
import dev.uplift.agent.driver.Job;
import dev.uplift.agent.driver.KeyValues;
import dev.uplift.agent.driver.OfferReader;
import dev.uplift.agent.driver.PackageContext;
import dev.uplift.agent.driver.PackageState;
import dev.uplift.agent.driver.PreparedRelease;
import dev.uplift.agent.driver.StepFailed;
import dev.uplift.agent.driver.WriteAccess;
import dev.uplift.agent.driver.process.ExitStatus;
import dev.uplift.agent.driver.process.ProgramRun;
import dev.uplift.agent.driver.process.ProgramRun.Limits;
import dev.uplift.agent.driver.process.ProgramRunner;
import dev.uplift.agent.files.FileOps;
import dev.uplift.protocol.CommandResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.SortedMap;
import java.util.function.BooleanSupplier;

/// Has the operator's own programs do the work. What they answer is checked against what their `inspect` measures.
public final class ScriptDriver implements Driver {
  private static final Duration GRACE_PERIOD = Duration.ofSeconds(10);

  private final PackageContext packageContext;
  private final ProgramRunner programs;
  private final FileOps files;
  private final ScriptInvocation invocation;

  public ScriptDriver(PackageContext packageContext) {
    this.packageContext = packageContext;
    this.files = packageContext.host().files();
    this.programs = new ProgramRunner(packageContext.host(), packageContext.stateFolder().resolve("programs"));
    this.invocation = new ScriptInvocation(packageContext, packageContext.stateFolder().resolve("script-state"));
  }

  @Override
  public PackageState inspect() {
    if (!hasScript(Verb.INSPECT)) {
      return PackageState.unknown();
    }
    try {
      WriteAccess.requireRootOnly(invocation.executable(Verb.INSPECT));
      var programResult =
          programs.runShort("inspect", invocation.forInspect(), timeout(Verb.INSPECT, Verb.INSPECT.timeout()), _ -> {});
      return programResult.exitStatus().isSuccess() ? found(programResult.output()) : PackageState.unknown();
    } catch (IOException | StepFailed _) {
      // Unmeasurable is unknown: the contract of `inspect`.
      return PackageState.unknown();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      return PackageState.unknown();
    }
  }

  private static PackageState found(String output) {
    SortedMap<String, String> said = KeyValues.read(output);
    String version = said.getOrDefault("version", "").strip();
    return new PackageState(
        version.isEmpty() ? PackageState.UNKNOWN : version,
        said.getOrDefault("staged", "").strip(),
        said.getOrDefault("on_trial", "").strip().equals("true"),
        // A class that is not loaded costs no memory.
        said.containsKey("offered") ? OfferReader.read(said, "") : Optional.empty());
  }

  @Override
  public CommandResult prepare(Job job) {
    return resultOf(() -> {
      if (!programs.isKnown(job.command().id())) {
        // Only the last `prepare` counts, and this one may fail.
        PreparedRelease.delete(files, packageContext.stateFolder());
      }
      CommandResult result =
          hasScript(Verb.PREPARE) || job.release().artifact().isPresent()
              ? run(Verb.PREPARE, job)
              : new CommandResult.Done();
      if (result instanceof CommandResult.Done) {
        PreparedRelease.of(job.release()).write(files, packageContext.stateFolder());
      }
      return result;
    });
  }

  @Override
  public CommandResult upgrade(Job job) {
    return resultOf(() -> {
      PreparedRelease prepared = PreparedRelease.require(packageContext.stateFolder(), job);
      // It may have been begun before the agent was restarted.
      boolean hasBegun = programs.isKnown(job.command().id());
      if (job.isCancelled() && !hasBegun) {
        return new CommandResult.Cancelled();
      }
      CommandResult result = requireVersion(run(Verb.UPGRADE, job), job);
      if (!(result instanceof CommandResult.Failed)) {
        // After an error it may be asked again, without another `prepare`.
        prepared.upgraded(job.command().id(), "").write(files, packageContext.stateFolder());
      }
      return result;
    });
  }

  @Override
  public CommandResult commit(Job job) {
    return hasScript(Verb.COMMIT) ? resultOf(() -> run(Verb.COMMIT, job)) : new CommandResult.Done();
  }

  @Override
  public CommandResult rollback(Job job) {
    return resultOf(() -> {
      PreparedRelease.delete(files, packageContext.stateFolder());
      return requireVersion(run(Verb.ROLLBACK, job), job);
    });
  }

  @Override
  public CommandResult halt(HaltRequest request) {
    return hasScript(Verb.HALT) ? resultOf(() -> run(Verb.HALT, request)) : new CommandResult.Done();
  }

  @Override
  public CommandResult resume(HaltRequest request) {
    return hasScript(Verb.RESUME) ? resultOf(() -> run(Verb.RESUME, request)) : new CommandResult.Done();
  }

  private CommandResult run(Verb verb, HaltRequest request) throws StepFailed, IOException, InterruptedException {
    WriteAccess.requireRootOnly(invocation.executable(verb));
    packageContext.host().files().createFolders(invocation.scriptStateFolder());
    Duration patience = request.timeout().isZero() ? verb.timeout() : request.timeout();
    ProgramRun programRun = programs.startOrAttach(request.id(), invocation.forHalt(verb, request));
    ExitStatus exitStatus =
        programRun.await(new Limits(timeout(verb, patience), () -> false, GRACE_PERIOD), _ -> {}, request.log());
    CommandResult commandResult = ScriptResultParser.parse(verb, exitStatus, programRun.output());
    // A later request may have the same id: a host may resume by itself more than once.
    programs.forget(request.id());
    return commandResult;
  }

  /// A program that says it is done, while another version runs, is not believed.
  private CommandResult requireVersion(CommandResult said, Job job) throws StepFailed {
    String version = inspect().version();
    boolean other = !version.equals(job.command().version()) && !version.equals(PackageState.UNKNOWN);
    if (said instanceof CommandResult.Done && other) {
      throw StepFailed.fatal(
          "version-mismatch",
          "done, says the script, but `inspect` finds %s, not %s".formatted(version, job.command().version()));
    }
    return said;
  }

  private CommandResult run(Verb verb, Job job) throws StepFailed, IOException, InterruptedException {
    if (!hasScript(verb)) {
      String text = "no executable " + invocation.executable(verb);
      throw verb == Verb.ROLLBACK ? StepFailed.declined("no-script", text) : StepFailed.fatal("no-script", text);
    }
    WriteAccess.requireRootOnly(invocation.executable(verb));
    files.createFolders(invocation.scriptStateFolder());
    String name = job.command().id();
    Optional<Path> artifact = artifact(verb, job);
    ProgramRun programRun = programs.startOrAttach(name, invocation.forVerb(verb, job, inspect().version(), artifact));
    ExitStatus exitStatus = programRun.await(limitsOf(verb, job), job::reportProgress, job::log);
    CommandResult commandResult = ScriptResultParser.parse(verb, exitStatus, programRun.output());
    if (commandResult instanceof CommandResult.Failed) {
      // Asked again, it tries again.
      programs.forget(name);
    }
    return commandResult;
  }

  /// Only `prepare` may be broken off: of anything else it is not known what it has changed.
  private Limits limitsOf(Verb verb, Job job) throws StepFailed {
    BooleanSupplier cancelled = verb == Verb.PREPARE ? job::isCancelled : () -> false;
    return new Limits(timeout(verb, timeoutOf(verb, job)), cancelled, GRACE_PERIOD);
  }

  /// For `prepare`, unless it has been started: then it has the file.
  private Optional<Path> artifact(Verb verb, Job job) throws StepFailed, IOException {
    boolean wanted =
        verb == Verb.PREPARE && job.release().artifact().isPresent() && !programs.isKnown(job.command().id());
    return wanted ? Optional.of(job.fetchArtifact()) : Optional.empty();
  }

  /// The host's setting is its owner's word, and counts more than the server's.
  private Duration timeout(Verb verb, Duration unlessSet) throws StepFailed {
    return packageContext.settings().seconds(verb.scriptName() + "_timeout_seconds", unlessSet);
  }

  /// As long as the server waits, if it says so.
  private static Duration timeoutOf(Verb verb, Job job) {
    Duration server = job.command().timeout();
    return server.isZero() ? verb.timeout() : server;
  }

  private boolean hasScript(Verb verb) {
    return Files.isExecutable(invocation.executable(verb));
  }

  private CommandResult resultOf(DriverStep driverStep) {
    return DriverStep.resultOf(files, packageContext.stateFolder(), driverStep);
  }
}
