package dev.uplift.agent.driver.agent;

import dev.uplift.agent.driver.AgentHandover;
import dev.uplift.agent.driver.AgentTrial;
import dev.uplift.agent.driver.Driver;
import dev.uplift.agent.driver.DriverStep;
import dev.uplift.agent.driver.Job;
import dev.uplift.agent.driver.PackageContext;
import dev.uplift.agent.driver.PackageState;
import dev.uplift.agent.driver.StepFailed;
import dev.uplift.agent.driver.agent.AgentInstallation.RolledBack;
import dev.uplift.agent.driver.process.ExitStatus;
import dev.uplift.agent.driver.process.ProgramRunner;
import dev.uplift.agent.files.FileOps;
import dev.uplift.protocol.CommandResult;
import dev.uplift.protocol.Heartbeat.State;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/// Installs the next version of this agent, starts it beside this one, and hands over to it.
///
/// The measured version is that of this very process. Versions lie side by side and none is erased. A rollback is the
/// same with the versions exchanged, but without a trial.
public final class AgentDriver implements Driver {
  /// Exit code of a self-test that failed only to reach the server.
  public static final int SERVER_UNAVAILABLE = 14;

  private static final Duration SELF_TEST = Duration.ofSeconds(60);
  private static final Duration STANDBY = Duration.ofSeconds(60);
  private static final Duration TRIAL = Duration.ofHours(1);

  private final PackageContext packageContext;
  private final RunningAgent runningAgent;
  private final FileOps files;
  private final AgentInstallation installation;
  private final LauncherClient launcher;
  private final AgentInstaller installer;
  private final HandoverController handover;
  private final Path runFolder;

  /// The version that this process was started as: the name of its folder, also where the program says nothing of
  /// itself.
  private final String ownVersion;

  /// @param runFolder for what does not outlive a boot
  public AgentDriver(PackageContext packageContext, RunningAgent runningAgent, Path runFolder) throws StepFailed {
    this.packageContext = packageContext;
    this.runningAgent = runningAgent;
    this.runFolder = runFolder;
    this.files = packageContext.host().files();
    this.installation = new AgentInstallation(files, packageContext.packageFolder(), runFolder);
    this.ownVersion = findOwnVersion();
    this.launcher =
        new LauncherClient(
            packageContext.packageFolder(),
            new ProgramRunner(packageContext.host(), packageContext.stateFolder().resolve("programs")));
    this.installer = new AgentInstaller(files, installation, runningAgent.architecture());
    this.handover =
        new HandoverController(
            runningAgent,
            ownVersion,
            installation,
            launcher,
            packageContext.settings().seconds("standby_timeout_seconds", STANDBY));
    reportRolledBack();
  }

  /// The launcher starts what `current` leads to, and nothing else.
  private String findOwnVersion() {
    try {
      String current = installation.versions().current();
      return runningAgent.version().equals(PackageState.UNKNOWN) && !current.isEmpty()
          ? current
          : runningAgent.version();
    } catch (IOException _) {
      return runningAgent.version();
    }
  }

  public AgentHandover agentHandover() {
    return handover;
  }

  /// The trial of the version that this process was started as.
  ///
  /// @param uptimeFile as `/proc/uptime`
  public AgentTrial trial(String bootId, Path uptimeFile) {
    return new LauncherTrial(installation, ownVersion, bootId, uptimeFile);
  }

  /// The folder for what does not outlive a boot.
  public Path runFolder() {
    return runFolder;
  }

  private void reportRolledBack() {
    try {
      installation
          .rolledBack()
          .ifPresent(it -> runningAgent.agentState().setUpgradeError(it.version() + ": " + it.reason()));
    } catch (IOException e) {
      runningAgent.agentState().setUpgradeError(e.toString());
    }
  }

  @Override
  public PackageState inspect() {
    try {
      return new PackageState(
          runningAgent.version(), installation.versions().staged(), installation.isOnTrial(ownVersion));
    } catch (IOException _) {
      return new PackageState(runningAgent.version(), "", false);
    }
  }

  /// Refuses other work meanwhile, since one command is carried out at a time; what is managed goes on untouched.
  @Override
  public CommandResult prepare(Job job) {
    return resultOf(() -> {
      String version = requireFolderName(job.release().version());
      if (runningAgent.version().equals(version)) {
        return new CommandResult.Done();
      }
      if (handover.isInProgress()) {
        throw StepFailed.retryable("handover-in-progress", "another version is about to take over");
      }
      try {
        runningAgent.agentState().setState(State.DRAINING);
        installer.requireArchitecture(job.release());
        runningAgent.agentState().setState(State.STAGING);
        installer.install(job);
        runningAgent.agentState().setState(State.VERIFYING);
        verify(version, job);
        installation.versions().stage(version);
        runningAgent.agentState().setUpgradeError("");
      } catch (StepFailed e) {
        runningAgent.agentState().setUpgradeError(version + ": " + e.getMessage());
        throw e;
      } finally {
        runningAgent.agentState().setState(State.RUNNING);
      }
      return new CommandResult.Done();
    });
  }

  /// The version itself says whether it could work here. It stays where it is, also when not.
  private void verify(String version, Job job) throws StepFailed, IOException, InterruptedException {
    job.reportProgress("self-test of " + version);
    installation.versions().unstage();
    Duration limit = packageContext.settings().seconds("self_test_timeout_seconds", SELF_TEST);
    ProgramRunner.ProgramResult programResult = launcher.selfTest(version, limit, job::log);
    String first = programResult.output().lines().findFirst().orElse("").strip();
    if (programResult.exitStatus().equals(new ExitStatus.Exited(SERVER_UNAVAILABLE))
        && !runningAgent.connected().getAsBoolean()) {
      throw StepFailed.retryable("server-unavailable", "neither of the two agents reaches the server");
    }
    if (!programResult.exitStatus().isSuccess()) {
      throw StepFailed.fatal(
          "self-test-failed",
          "the self-test of %s %s: %s".formatted(version, programResult.exitStatus().text(), programResult.output()));
    }
    if (!first.equals("uplift-agent " + version)) {
      throw StepFailed.fatal("version-mismatch", "expected uplift-agent %s, it says %s".formatted(version, first));
    }
  }

  @Override
  public CommandResult upgrade(Job job) {
    return resultOf(() -> switchToStaged(job));
  }

  private CommandResult switchToStaged(Job job) throws StepFailed, IOException, InterruptedException {
    String version = requireFolderName(job.command().version());
    if (runningAgent.version().equals(version)) {
      return new CommandResult.Done();
    }
    if (handover.isInProgressTo(version)) {
      return new CommandResult.HandoverRequired();
    }
    Optional<RolledBack> left = installation.rolledBack();
    if (left.isPresent() && left.get().command().equals(job.command().id())) {
      throw StepFailed.fatal("rolled-back", version + ": " + left.get().reason());
    }
    if (!installation.versions().isStaged(version, job.preparedDigest())) {
      throw StepFailed.fatal(
          "not-prepared", "%s with digest %s is not staged here".formatted(version, job.preparedDigest()));
    }
    if (job.isCancelled()) {
      throw StepFailed.cancelled();
    }
    Duration within = packageContext.settings().seconds("commit_within_seconds", TRIAL);
    boolean alone = isSequential();
    switchOnTrial(version, job.command().id(), within);
    return handOver(version, alone);
  }

  private void switchOnTrial(String version, String command, Duration within) throws IOException {
    try {
      installation.switchOnTrial(version, ownVersion, command, within);
    } catch (IOException e) {
      try {
        installation.versions().setCurrent(ownVersion);
        installation.endTrial();
      } catch (IOException again) {
        // Then the launcher tries the next version, and it waits for as long as this one works.
        e.addSuppressed(again);
      }
      throw e;
    }
  }

  /// Starts the next agent beside this one if both fit in memory, else after it: then the next one publishes the
  /// outcome.
  private CommandResult handOver(String version, boolean alone) throws StepFailed, IOException, InterruptedException {
    if (!alone) {
      handover.start(version);
      return new CommandResult.HandoverRequired();
    }
    handover.exitForRestart();
    // The end of this process ends the wait, with an interrupt.
    Thread.sleep(Duration.ofMinutes(5));
    throw StepFailed.retryable("agent-not-exited", "this agent was to end, and has not");
  }

  private boolean isSequential() throws StepFailed, IOException {
    return switch (packageContext.settings().text("mode").orElse("auto")) {
      case "auto" -> MemoryCheck.isLow();
      case "parallel" -> false;
      case "sequential" -> true;
      default -> throw packageContext.settings().invalid("mode", "one of auto, parallel, sequential");
    };
  }

  @Override
  public CommandResult commit(Job job) {
    return resultOf(() -> {
      String version = job.command().version();
      if (!runningAgent.version().equals(version)) {
        throw StepFailed.fatal("version-mismatch", "this is %s, not %s".formatted(runningAgent.version(), version));
      }
      installation.endTrial();
      return new CommandResult.Done();
    });
  }

  @Override
  public CommandResult rollback(Job job) {
    return resultOf(() -> rollBack(job));
  }

  private CommandResult rollBack(Job job) throws StepFailed, IOException, InterruptedException {
    String target = versionBefore(job);
    if (handover.isInProgressTo(target)) {
      return new CommandResult.HandoverRequired();
    }
    if (ownVersion.equals(target)) {
      handover.abort("rolled back by command");
      installation.versions().unstage();
      return new CommandResult.Done();
    }
    if (!installation.versions().isComplete(target)) {
      throw StepFailed.declined("version-not-found", target + " is not on this host any more");
    }
    verify(target, job);
    boolean alone = isSequential();
    installation.switchTo(target, ownVersion);
    installation.endTrial();
    return handOver(target, alone);
  }

  /// A server that could not learn it leaves it to us.
  private String versionBefore(Job job) throws IOException, StepFailed {
    String wanted = requireFolderName(job.command().version());
    if (!wanted.equals(PackageState.UNKNOWN)) {
      return wanted;
    }
    if (!ownVersion.equals(job.release().version())) {
      return ownVersion;
    }
    String before = installation.versionBeforeTrial();
    return before.isEmpty() ? installation.versions().previous() : before;
  }

  /// A version is the name of a folder here.
  private static String requireFolderName(String version) throws StepFailed {
    if (version.startsWith(".") || version.contains("/") || version.isEmpty()) {
      throw StepFailed.fatal("invalid-version", "no name for a folder: " + version);
    }
    return version;
  }

  private CommandResult resultOf(DriverStep driverStep) {
    return DriverStep.resultOf(files, packageContext.packageFolder(), driverStep);
  }
}
