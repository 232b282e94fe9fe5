package dev.uplift.agent.command;

import static java.lang.System.Logger.Level.INFO;

import dev.uplift.agent.driver.AgentHandover;
import dev.uplift.agent.driver.HostPackage;
import dev.uplift.agent.driver.PackageReboot;
import dev.uplift.agent.driver.StepFailed;
import dev.uplift.agent.journal.CommandJournal;
import dev.uplift.agent.journal.CommandRecord;
import dev.uplift.protocol.Command;
import dev.uplift.protocol.CommandResult;
import dev.uplift.protocol.Heartbeat.State;
import dev.uplift.protocol.Order;
import dev.uplift.protocol.ReleaseManifest;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.SortedMap;
import java.util.function.Consumer;

/// Ends this process for a command: with its host, or so that another agent takes over.
///
/// The host is rebooted at most once for a command. Only the boot ids say whether it has happened, so a boot that was
/// not ordered counts too.
final class RebootAndStop {
  static final String AGENT_KIND = "agent";

  private static final System.Logger LOG = System.getLogger(RebootAndStop.class.getName());
  private static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(5);

  private final String bootId;
  private final CommandJournal journal;
  private final HostPreconditions preconditions;
  private final HostEnvironment environment;
  private final SortedMap<String, HostPackage> packages;
  private final AgentHandover agentHandover;
  private final Consumer<State> onStateChange;

  /// @param onStateChange gets the state while the host goes down
  RebootAndStop(
      String bootId,
      CommandJournal journal,
      HostPreconditions preconditions,
      HostEnvironment environment,
      SortedMap<String, HostPackage> packages,
      Consumer<State> onStateChange) {
    this.bootId = bootId;
    this.journal = journal;
    this.preconditions = preconditions;
    this.environment = environment;
    this.packages = packages;
    this.agentHandover = environment.agentHandover();
    this.onStateChange = onStateChange;
  }

  /// @throws StepFailed `handover-in-progress` if another agent waits and the command is not about the agent
  void requireNoHandover(Command command, ReleaseManifest release) throws StepFailed {
    if (agentHandover.isInProgress() && !release.kind().equals(AGENT_KIND)) {
      throw StepFailed.retryable(
          "handover-in-progress", command.action().wireName() + " waits until one agent is left on this host");
    }
  }

  /// Returns whether the host has been rebooted since the order for it was written down.
  boolean isRebooted(CommandRecord commandRecord) {
    return !commandRecord.rebootFrom().isEmpty() && !commandRecord.rebootFrom().equals(bootId);
  }

  /// Returns after the reboot, in another process, or when it cannot be.
  CommandResult reboot(CommandJob commandJob, Order.Reboot reboot, Runnable accepted)
      throws StepFailed, IOException, InterruptedException {
    if (agentHandover.isInProgress()) {
      throw StepFailed.retryable("handover-in-progress", "the reboot waits until one agent is left");
    }
    Command command = commandJob.command();
    if (!reboot.bootId().equals(bootId)) {
      return confirm(commandJob);
    }
    if (!isRequested(command)) {
      if (commandJob.isCancelled()) {
        return new CommandResult.Cancelled();
      }
      preconditions.requireVersion(command);
      journal.begin(command.id(), commandJob.text());
      accepted.run();
    }
    try {
      return requestReboot(commandJob);
    } finally {
      onStateChange.accept(State.RUNNING);
    }
  }

  private boolean isRequested(Command command) {
    return journal.find(command.id()).map(CommandRecord::rebootFrom).filter(bootId::equals).isPresent();
  }

  private CommandResult requestReboot(CommandJob commandJob) throws StepFailed, IOException, InterruptedException {
    Command command = commandJob.command();
    if (!isRequested(command)) {
      if (commandJob.isCancelled()) {
        return new CommandResult.Cancelled();
      }
      journal.recordReboot(command.id(), bootId);
      onStateChange.accept(State.STOPPING);
      LOG.log(INFO, "reboots the host for command {0}", command.id());
      start(commandJob);
    }
    onStateChange.accept(State.STOPPING);
    // The end of this process ends the wait, or there is no end.
    Thread.sleep(environment.intervals().rebootTimeout());
    throw StepFailed.retryable(
        "host-not-rebooted",
        "the reboot was ordered, but the host is still up after "
            + environment.intervals().rebootTimeout().toSeconds()
            + " s");
  }

  private void start(CommandJob commandJob) throws StepFailed, IOException, InterruptedException {
    Optional<PackageReboot> own = ownReboot(commandJob.command());
    if (own.isPresent()) {
      CommandResult commandResult = own.get().start(commandJob.command(), commandJob::log);
      if (!(commandResult instanceof CommandResult.Done)) {
        throw new StepFailed(commandResult);
      }
      return;
    }
    int code = environment.reboot().start(commandJob::log);
    if (code != 0) {
      throw StepFailed.needsPerson("reboot-failed", "the reboot command ended with " + code + ", the host is up");
    }
  }

  /// Returns the answer of a host that has rebooted; one that does not count if the thread is interrupted.
  CommandResult confirm(CommandJob commandJob) {
    Command command = commandJob.command();
    return ownReboot(command).map(own -> own.confirm(command, commandJob::log)).orElse(new CommandResult.Done());
  }

  private Optional<PackageReboot> ownReboot(Command command) {
    return Optional.ofNullable(packages.get(command.packageName())).flatMap(it -> it.driver().ownReboot());
  }

  /// Returns the answer of an agent that is about to end; [#exitIfStopped] ends it.
  CommandResult stop(CommandJob commandJob, Runnable accepted) throws StepFailed, IOException {
    Command command = commandJob.command();
    if (commandJob.isCancelled()) {
      return new CommandResult.Cancelled();
    }
    if (command.instance().isEmpty()) {
      throw StepFailed.fatal("no-instance", "a stop has to name the instance that is to end");
    }
    // Written down first: if this process is killed now, the next agent knows that it was to end.
    journal.begin(command.id(), commandJob.text());
    agentHandover.confirmSuccessor();
    accepted.run();
    return new CommandResult.Done();
  }

  /// Ends the process after a `stop` that succeeded: once the server has its answer, or after a time-out, and then the
  /// next agent publishes the answer.
  void exitIfStopped(CommandJob commandJob, CommandResult commandResult) throws InterruptedException {
    if (!(commandResult instanceof CommandResult.Done) || !(commandJob.order() instanceof Order.Stop stop)) {
      return;
    }
    Duration within = stop.deadline().isZero() ? ANSWER_TIMEOUT : stop.deadline();
    long until = System.nanoTime() + (within.compareTo(ANSWER_TIMEOUT) < 0 ? within : ANSWER_TIMEOUT).toNanos();
    while (System.nanoTime() < until && journal.find(commandJob.command().id()).filter(CommandRecord::sent).isEmpty()) {
      Thread.sleep(Duration.ofMillis(20));
    }
    agentHandover.exitProcess();
  }
}
