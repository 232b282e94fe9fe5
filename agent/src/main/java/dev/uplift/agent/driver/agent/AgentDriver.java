package dev.uplift.agent.driver.agent;

import dev.uplift.agent.driver.Driver;
import dev.uplift.agent.driver.Found;
import dev.uplift.agent.driver.Job;
import dev.uplift.agent.driver.Setup;
import dev.uplift.agent.driver.StepFailed;
import dev.uplift.agent.driver.Succession;
import dev.uplift.agent.driver.Work;
import dev.uplift.agent.driver.agent.Installation.Reverted;
import dev.uplift.agent.driver.session.Ending;
import dev.uplift.agent.driver.session.Sessions;
import dev.uplift.agent.files.FileOps;
import dev.uplift.protocol.Heartbeat.State;
import dev.uplift.protocol.Result;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/// Brings the next version of this agent, starts it beside this one, and makes way for it.
///
/// The version that is found is that of this very process. Versions lie side by side and none is
/// erased. Going back is the same with the versions exchanged, but for the trial.
public final class AgentDriver implements Driver {
  /// How a self-test ends that has found all well but the server.
  public static final int SERVER_AWAY = 14;

  private static final Duration SELF_TEST = Duration.ofSeconds(60);
  private static final Duration STANDBY = Duration.ofSeconds(60);
  private static final Duration TRIAL = Duration.ofHours(1);

  private final Setup setup;
  private final Self self;
  private final FileOps files;
  private final Installation installation;
  private final Launcher launcher;
  private final Staging staging;
  private final Handover handover;
  private final Path run;

  /// The version that this process was started as: the name of its folder, also where the program
  /// says nothing of itself.
  private final String own;

  /// @param run for what does not outlive a boot
  public AgentDriver(Setup setup, Self self, Path run) throws StepFailed {
    this.setup = setup;
    this.self = self;
    this.run = run;
    this.files = setup.host().files();
    this.installation = new Installation(files, setup.folder(), run);
    this.own = ownVersion();
    this.launcher =
        new Launcher(setup.folder(), new Sessions(setup.host(), setup.state().resolve("run")));
    this.staging = new Staging(files, installation, self.architecture());
    this.handover =
        new Handover(
            self, own, installation, launcher, setup.settings().seconds("standby_s", STANDBY));
    sayWhatWasLeft();
  }

  /// The launcher starts what `current` leads to, and nothing else.
  private String ownVersion() {
    try {
      String current = installation.versions().current();
      return self.version().equals(Found.UNKNOWN) && !current.isEmpty() ? current : self.version();
    } catch (IOException _) {
      return self.version();
    }
  }

  public Succession succession() {
    return handover;
  }

  /// The folder for what does not outlive a boot.
  public Path run() {
    return run;
  }

  private void sayWhatWasLeft() {
    try {
      installation
          .reverted()
          .ifPresent(it -> self.standing().failed(it.version() + ": " + it.reason()));
    } catch (IOException e) {
      self.standing().failed(e.toString());
    }
  }

  @Override
  public Found inspect() {
    try {
      return new Found(
          self.version(), installation.versions().staged(), installation.isOnTrial(own));
    } catch (IOException _) {
      return new Found(self.version(), "", false);
    }
  }

  /// Refuses other work meanwhile, since one command is carried out at a time; what is managed goes
  /// on untouched.
  @Override
  public Result prepare(Job job) {
    return answer(() -> {
      String version = sound(job.release().version());
      if (self.version().equals(version)) {
        return new Result.Done();
      }
      if (handover.isUnderWay()) {
        throw StepFailed.retryable("handing-over", "another version is about to take over");
      }
      try {
        self.standing().become(State.DRAINING);
        staging.check(job.release());
        self.standing().become(State.STAGING);
        staging.bring(job);
        self.standing().become(State.VERIFYING);
        verify(version, job);
        installation.versions().stage(version);
        self.standing().failed("");
      } catch (StepFailed e) {
        self.standing().failed(version + ": " + e.getMessage());
        throw e;
      } finally {
        self.standing().become(State.RUNNING);
      }
      return new Result.Done();
    });
  }

  /// The version itself says whether it could work here. It stays where it is, also when not.
  private void verify(String version, Job job)
      throws StepFailed, IOException, InterruptedException {
    job.progress("self-test of " + version);
    installation.versions().unstage();
    Duration limit = setup.settings().seconds("self_test_s", SELF_TEST);
    Sessions.Answer answer = launcher.selfTest(version, limit, job::log);
    String first = answer.output().lines().findFirst().orElse("").strip();
    if (answer.ending().equals(new Ending.Exited(SERVER_AWAY))
        && !self.connected().getAsBoolean()) {
      throw StepFailed.retryable("server-away", "neither of the two agents reaches the server");
    }
    if (!answer.ending().isSuccess()) {
      throw StepFailed.fatal(
          "self-test-failed",
          "the self-test of %s %s: %s".formatted(version, answer.ending().text(), answer.output()));
    }
    if (!first.equals("uplift-agent " + version)) {
      throw StepFailed.fatal(
          "version-mismatch", "expected uplift-agent %s, it says %s".formatted(version, first));
    }
  }

  @Override
  public Result upgrade(Job job) {
    return answer(() -> bring(job));
  }

  private Result bring(Job job) throws StepFailed, IOException, InterruptedException {
    String version = sound(job.command().version());
    if (self.version().equals(version)) {
      return new Result.Done();
    }
    if (handover.isUnderWayTo(version)) {
      return new Result.HandoverRequired();
    }
    Optional<Reverted> left = installation.reverted();
    if (left.isPresent() && left.get().command().equals(job.command().id())) {
      throw StepFailed.fatal("reverted", version + ": " + left.get().reason());
    }
    if (!installation.versions().isStaged(version, job.command().digest())) {
      throw StepFailed.fatal(
          "not-prepared",
          "%s with digest %s is not staged here".formatted(version, job.command().digest()));
    }
    if (job.cancelled()) {
      throw StepFailed.cancelled();
    }
    Duration within = setup.settings().seconds("commit_within_s", TRIAL);
    boolean alone = isAlone();
    turnOnTrial(version, job.command().id(), within);
    return follow(version, alone);
  }

  private void turnOnTrial(String version, String command, Duration within) throws IOException {
    try {
      installation.turnOnTrial(version, own, command, within);
    } catch (IOException e) {
      try {
        installation.versions().use(own);
        installation.endTrial();
      } catch (IOException again) {
        // Then the launcher tries the next version, and it waits for as long as this one works.
        e.addSuppressed(again);
      }
      throw e;
    }
  }

  /// Beside this one where both fit, else after it: then it is the next one who answers.
  private Result follow(String version, boolean alone)
      throws StepFailed, IOException, InterruptedException {
    if (!alone) {
      handover.begin(version);
      return new Result.HandoverRequired();
    }
    handover.makeWay();
    // The end of this process ends the wait, with an interrupt.
    Thread.sleep(Duration.ofMinutes(5));
    throw StepFailed.retryable("still-here", "this agent was to end, and has not");
  }

  private boolean isAlone() throws StepFailed, IOException {
    return switch (setup.settings().text("mode").orElse("auto")) {
      case "auto" -> Memory.isShort();
      case "beside" -> false;
      case "sequential" -> true;
      default -> throw setup.settings().bad("mode", "one of auto, beside, sequential");
    };
  }

  @Override
  public Result commit(Job job) {
    return answer(() -> {
      String version = job.command().version();
      if (!self.version().equals(version)) {
        throw StepFailed.fatal(
            "version-mismatch", "this is %s, not %s".formatted(self.version(), version));
      }
      installation.endTrial();
      return new Result.Done();
    });
  }

  @Override
  public Result rollback(Job job) {
    return answer(() -> takeBack(job));
  }

  private Result takeBack(Job job) throws StepFailed, IOException, InterruptedException {
    String target = versionBefore(job);
    if (handover.isUnderWayTo(target)) {
      return new Result.HandoverRequired();
    }
    if (own.equals(target)) {
      handover.takeBack("taken back by order");
      installation.versions().unstage();
      return new Result.Done();
    }
    if (!installation.versions().isWhole(target)) {
      throw StepFailed.declined("version-gone", target + " is not on this host any more");
    }
    verify(target, job);
    boolean alone = isAlone();
    installation.turnTo(target, own);
    installation.endTrial();
    return follow(target, alone);
  }

  /// A server that could not learn it leaves it to us.
  private String versionBefore(Job job) throws IOException, StepFailed {
    String wanted = sound(job.command().version());
    if (!wanted.equals(Found.UNKNOWN)) {
      return wanted;
    }
    if (!own.equals(job.release().version())) {
      return own;
    }
    String before = installation.versionBeforeTrial();
    return before.isEmpty() ? installation.versions().previous() : before;
  }

  /// A version is the name of a folder here.
  private static String sound(String version) throws StepFailed {
    if (version.startsWith(".") || version.contains("/") || version.isEmpty()) {
      throw StepFailed.fatal("bad-version", "no name for a folder: " + version);
    }
    return version;
  }

  private Result answer(Work work) {
    return Work.answer(files, setup.folder(), work);
  }
}
