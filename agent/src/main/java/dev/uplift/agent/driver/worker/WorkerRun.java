package dev.uplift.agent.driver.worker;

import dev.uplift.agent.driver.DriverStep;
import dev.uplift.agent.driver.Job;
import dev.uplift.agent.driver.PackageContext;
import dev.uplift.agent.driver.StepEnvironment;
import dev.uplift.agent.driver.StepFailed;
import dev.uplift.agent.driver.WriteAccess;
import dev.uplift.agent.driver.process.ExitStatus;
import dev.uplift.agent.driver.process.Program;
import dev.uplift.agent.driver.process.ProgramRun;
import dev.uplift.agent.driver.process.ProgramRunner;
import dev.uplift.protocol.Command;
import dev.uplift.protocol.CommandResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/// Runs the worker for one message, and returns its reply.
final class WorkerRun {
  private static final Duration GRACE_PERIOD = Duration.ofSeconds(10);
  private static final Duration TIME_TO_END = Duration.ofSeconds(10);
  private static final Duration INSPECT_TIMEOUT = Duration.ofSeconds(10);
  private static final String INSPECT = "inspect";

  private final PackageContext packageContext;
  private final ProgramRunner programs;
  private final StepEnvironment environment;

  WorkerRun(PackageContext packageContext) {
    this.packageContext = packageContext;
    this.programs = new ProgramRunner(packageContext.host(), packageContext.stateFolder().resolve("programs"));
    this.environment = new StepEnvironment(packageContext, packageContext.stateFolder().resolve("worker-state"));
  }

  /// Starts the worker without a message, and returns the versions that it says.
  SortedMap<String, String> versions() throws IOException, StepFailed, InterruptedException {
    WriteAccess.requireRootOnly(executable());
    Duration timeout = timeout(INSPECT, INSPECT_TIMEOUT);
    var programResult = programs.runShort(INSPECT, program(environment.of(INSPECT), ""), timeout, _ -> {});
    return WorkerMessages.lastVersions(programResult.exitStatus().isSuccess() ? programResult.output() : "");
  }

  /// Returns whether a run for this command was started and need not be started again.
  boolean isKnown(String commandId) throws IOException {
    return programs.isKnown(commandId);
  }

  /// @param line the message
  /// @param cancelled whether it is to be broken off
  WorkerReply deliver(String action, String line, Job job, Inputs inputs, BooleanSupplier cancelled)
      throws IOException, StepFailed, InterruptedException {
    SortedMap<String, String> variables = environment.of(action, job, inputs.versionNow(), inputs.artifact());
    Duration server = job.command().timeout();
    Duration timeout = timeout(action, server.isZero() ? inputs.usualTimeout() : server);
    var delivery = new Delivery(job.command().id(), action, timeout, cancelled, job::reportProgress, job::log);
    return deliver(delivery, program(variables, line));
  }

  /// The environment of the worker, beside the message.
  ///
  /// @param usualTimeout unless the host's settings or the server say another
  record Inputs(String versionNow, Optional<Path> artifact, Duration usualTimeout) {}

  /// @param isRebooted whether the boot is over
  WorkerReply deliverReboot(Command command, boolean isRebooted, Duration usualTimeout, Consumer<String> log)
      throws IOException, StepFailed, InterruptedException {
    SortedMap<String, String> variables = environment.of(WorkerMessages.REBOOT, command);
    variables.put("UPLIFT_REBOOTED", Boolean.toString(isRebooted));
    String name = command.id() + (isRebooted ? "-rebooted" : "");
    Duration timeout = timeout(WorkerMessages.REBOOT, usualTimeout);
    var delivery = new Delivery(name, WorkerMessages.REBOOT, timeout, () -> false, _ -> {}, log);
    return deliver(delivery, program(variables, WorkerMessages.reboot(packageContext.host().name())));
  }

  private record Delivery(
      String name,
      String action,
      Duration timeout,
      BooleanSupplier cancelled,
      Consumer<String> progress,
      Consumer<String> log) {}

  private WorkerReply deliver(Delivery delivery, Program program) throws IOException, StepFailed, InterruptedException {
    WriteAccess.requireRootOnly(executable());
    packageContext.host().files().createFolders(environment.programStateFolder());
    var listener = new ReplyListener(delivery.action(), delivery.progress(), timeout("end", TIME_TO_END));
    // A worker that does not end after its reply is ended as if it were cancelled; its reply counts.
    BooleanSupplier over = () -> listener.isOverdue() || delivery.cancelled().getAsBoolean();
    ExitStatus exitStatus =
        programs
            .startOrAttach(delivery.name(), program)
            .await(new ProgramRun.Limits(delivery.timeout(), over, GRACE_PERIOD), listener, delivery.log());
    if (listener.result().isEmpty()) {
      // Asked again, it gets the message again.
      programs.forget(delivery.name());
    }
    return new WorkerReply(listener.result(), exitStatus);
  }

  /// The host's setting is its owner's word, and counts more than the server's.
  private Duration timeout(String name, Duration unlessSet) throws StepFailed {
    return packageContext.settings().seconds(name + "_timeout_seconds", unlessSet);
  }

  private Path executable() {
    return packageContext.packageFolder().resolve("worker");
  }

  boolean hasExecutable() {
    return Files.isExecutable(executable());
  }

  private Program program(SortedMap<String, String> variables, String input) {
    return new Program(List.of(executable().toString()), packageContext.packageFolder(), variables, input);
  }

  CommandResult resultOf(DriverStep driverStep) {
    return DriverStep.resultOf(
        packageContext.host().files(),
        packageContext.stateFolder(),
        () -> {
          if (!hasExecutable()) {
            throw StepFailed.fatal("no-worker", "no executable " + executable());
          }
          return driverStep.run();
        });
  }
}
