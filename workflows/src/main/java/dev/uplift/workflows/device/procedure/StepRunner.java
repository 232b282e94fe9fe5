package dev.uplift.workflows.device.procedure;

import static dev.uplift.fleet.Step.AWAIT_HEARTBEAT;
import static dev.uplift.fleet.Step.AWAIT_HOST;
import static dev.uplift.fleet.Step.AWAIT_SUCCESSOR;
import static dev.uplift.fleet.Step.COMMIT;
import static dev.uplift.fleet.Step.INSPECT;
import static dev.uplift.fleet.Step.PREPARE;
import static dev.uplift.fleet.Step.REBOOT;
import static dev.uplift.fleet.Step.ROLLBACK;
import static dev.uplift.fleet.Step.STOP;
import static dev.uplift.fleet.Step.UPGRADE;

import dev.uplift.fleet.HostId;
import dev.uplift.fleet.HostState;
import dev.uplift.fleet.Reason;
import dev.uplift.fleet.RetryDecision;
import dev.uplift.fleet.Step;
import dev.uplift.workflows.device.HostObservation;
import dev.uplift.workflows.device.PendingWait.UpgradeWaitReason;
import dev.uplift.workflows.device.StepRequest;
import dev.uplift.workflows.device.StepResult;
import dev.uplift.workflows.device.StepResult.Done;
import dev.uplift.workflows.device.StepResult.Failed;
import dev.uplift.workflows.device.StepResult.HandoverRequired;
import dev.uplift.workflows.device.StepResult.NotSent;
import dev.uplift.workflows.device.StepResult.RebootRequired;
import dev.uplift.workflows.device.UpgradePlan;
import dev.uplift.workflows.device.procedure.Deadlines.UpgradeStopped;
import dev.uplift.workflows.device.procedure.HostTracker.HostSkipped;
import io.temporal.failure.ActivityFailure;
import io.temporal.failure.ApplicationFailure;
import io.temporal.failure.CanceledFailure;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/// Runs the steps of a procedure on its hosts. What has to be done about a pause, a failed step and a time-out is the
/// same at every step, and is done here.
final class StepRunner {
  /// An operator's decision about a failed step.
  enum OperatorDecision {
    PENDING,
    RETRY,
    SKIP
  }

  private static final Duration MIN_WAIT = Duration.ofSeconds(10);

  private final UpgradePlan plan;
  private final Deadlines deadlines;
  private final HostTracker hosts;
  private final PendingWaits waits;
  private final StepDispatcher commands;
  private final Map<HostId, OperatorDecision> decisions = new HashMap<>();

  StepRunner(UpgradePlan plan, Deadlines deadlines, HostTracker hosts, PendingWaits waits) {
    this.plan = plan;
    this.deadlines = deadlines;
    this.hosts = hosts;
    this.waits = waits;
    this.commands = new StepDispatcher(plan, deadlines, hosts, waits);
  }

  void prepare(HostId host) {
    run(PREPARE, host);
  }

  /// Returns [RebootRequired] or [HandoverRequired] if the release does not run yet, and [NotSent] if the host is as it
  /// was because it is not heard.
  StepResult upgrade(HostId host) {
    return run(UPGRADE, host);
  }

  /// As [#upgrade], back to the version from before.
  StepResult rollBack(HostId host) {
    return run(ROLLBACK, host);
  }

  /// Blocks until the host is heard, or its window closes.
  ///
  /// @throws UpgradeStopped if it is not heard before the deadline
  void awaitHost(HostId host) {
    // Our clock and that of the records need not agree about the instant at which a window closes.
    Instant least = Deadlines.now().plus(MIN_WAIT);
    Instant latest = deadlines.latestFirstChange(UPGRADE);
    try {
      StepRequest stepRequest = commands.newRequest(AWAIT_HOST, host, deadlines.notAfter());
      commands.send(stepRequest, latest.isBefore(least) ? least : latest);
      deadlines.throwIfStopped();
    } catch (ActivityFailure timeOut) {
      rethrowIfCancelled(timeOut);
    }
    if (deadlines.isPastDeadline()) {
      throw fail(host, Reason.neverHeard(host, deadlines.notAfter()));
    }
  }

  /// Returns the result of the last step that the host needed so that the release runs.
  StepResult rebootOrHandOverIfRequired(HostId host, StepResult result) {
    return switch (result) {
      case RebootRequired _ -> run(REBOOT, host);
      case HandoverRequired _ -> {
        // The outgoing agent stops only once its successor is seen: one of them is always active.
        run(AWAIT_SUCCESSOR, host);
        yield run(STOP, host);
      }
      default -> result;
    };
  }

  /// Blocks until a heartbeat shows the target version: the result of a command is not enough.
  void awaitHeartbeat(HostId host) {
    run(AWAIT_HEARTBEAT, host);
  }

  /// As above, after a step that may have brought that heartbeat with its result.
  void awaitHeartbeatUnlessHeard(HostId host, StepResult result) {
    if (!(result instanceof Done(HostState state, boolean heard) && heard && commands.isHeartbeatOf(host, state))) {
      awaitHeartbeat(host);
    }
  }

  void commit(HostId host) {
    run(COMMIT, host);
  }

  /// Blocks until the host has done the step, or requires a reboot or a handover to complete it.
  ///
  /// @throws UpgradeStopped if it has not and nothing more can be done about it
  /// @throws HostSkipped if an operator skips the host
  private StepResult run(Step step, HostId host) {
    int tries = 0;
    while (true) {
      waits.awaitResume(step, host);
      StepRequest stepRequest = commands.newRequest(step, host);
      Optional<StepResult> resultInTime = runOnce(stepRequest);
      deadlines.throwIfStopped();
      if (resultInTime.isEmpty()) {
        continue;
      }
      StepResult stepResult = resultInTime.get();
      Optional<Failed> failure = stepResult.failure();
      if (failure.isEmpty() || (stepRequest.firstChange() && stepResult instanceof NotSent)) {
        return stepResult;
      }
      Failed failed = failure.get();
      switch (RetryDecision.of(failed.errorClass(), ++tries)) {
        case RETRY -> backOff(step, host, plan.options().timeouts().backOff(tries), failed);
        case ASK_PERSON -> {
          awaitPerson(step, host, failed);
          tries = 0;
        }
        case GIVE_UP -> throw fail(host, failed.toReason());
      }
    }
  }

  /// Returns the result of the step. After a time-out that is what the host is found to run. Empty if the deadline was
  /// extended meanwhile, so that the host had too little time to prepare.
  private Optional<StepResult> runOnce(StepRequest stepRequest) {
    try {
      StepResult stepResult = commands.send(stepRequest);
      boolean tooLate = stepResult.failure().filter(Failed::hasExpired).isPresent();
      return tooLate && wasDeadlineExtended(stepRequest) ? Optional.empty() : Optional.of(stepResult);
    } catch (ActivityFailure timeOut) {
      rethrowIfCancelled(timeOut);
      if (wasDeadlineExtended(stepRequest)) {
        return Optional.empty();
      }
      StepResult stepResult = determineResult(stepRequest);
      hosts.update(stepRequest, stepResult);
      return Optional.of(stepResult);
    }
  }

  private boolean wasDeadlineExtended(StepRequest stepRequest) {
    return stepRequest.step() == PREPARE
        && !Deadlines.now().isBefore(stepRequest.notAfter())
        && !deadlines.isPastDeadline()
        && deadlines.isForward();
  }

  /// Returns what became of a request that timed out: by a late result of the host, by its heartbeats, by its answer to
  /// `inspect`. Its silence counts only if our connection was up all the time.
  private StepResult determineResult(StepRequest stepRequest) {
    if (stepRequest.step() == PREPARE && deadlines.isPastDeadline()) {
      throw fail(stepRequest.host(), Reason.deadline(deadlines.notAfter(), "no answer to " + stepRequest));
    }
    HostObservation hostObservation = commands.observe(stepRequest);
    while (resultOf(stepRequest, hostObservation).isEmpty()) {
      Instant asked = Deadlines.now();
      Optional<StepResult> found = inspect(stepRequest.host());
      if (found.filter(result -> showsDone(result, stepRequest)).isPresent()) {
        return found.get();
      }
      hostObservation = commands.observe(stepRequest);
      if (resultOf(stepRequest, hostObservation).isEmpty()
          && (found.isPresent() || hostObservation.coversSince(asked))) {
        throw fail(
            stepRequest.host(),
            found
                .map(stepResult -> stepResult.failureReason(stepRequest))
                .orElse(hostObservation.silenceReason(stepRequest)));
      }
    }
    return resultOf(stepRequest, hostObservation).get();
  }

  private Optional<StepResult> resultOf(StepRequest stepRequest, HostObservation hostObservation) {
    return hosts.isHiddenByVersion(stepRequest) ? hostObservation.lateResult() : hostObservation.resultOf(stepRequest);
  }

  private boolean showsDone(StepResult found, StepRequest stepRequest) {
    return found.showsDone(stepRequest) && !(found instanceof Done && hosts.isHiddenByVersion(stepRequest));
  }

  /// Blocks until the host has answered what it runs, until the deadline at most, also where that is moved meanwhile.
  ///
  /// @throws UpgradeStopped if it has not
  void awaitVersion(HostId host) {
    boolean answered = false;
    while (!answered) {
      answered = askVersion(host);
    }
  }

  /// Returns whether the host has answered; if not, the deadline was extended.
  private boolean askVersion(HostId host) {
    try {
      StepRequest question = commands.newRequest(INSPECT, host, deadlines.notAfter());
      Optional<Failed> failure = commands.send(question, deadlines.notAfter()).failure();
      deadlines.throwIfStopped();
      if (failure.isPresent()) {
        throw fail(host, failure.get().toReason());
      }
      return true;
    } catch (ActivityFailure ended) {
      rethrowIfCancelled(ended);
      boolean isFinal = ended.getCause() instanceof ApplicationFailure failure && failure.isNonRetryable();
      if (!isFinal && !deadlines.isPastDeadline()) {
        return false;
      }
      throw deadlines.requestStop(Reason.deadline(deadlines.notAfter(), host + " has not said what it runs"));
    }
  }

  /// Asks what the host runs. Returns empty if it does not answer.
  Optional<StepResult> inspect(HostId host) {
    try {
      return Optional.of(commands.send(commands.newRequest(INSPECT, host)));
    } catch (ActivityFailure timeOut) {
      rethrowIfCancelled(timeOut);
      hosts.markUnknown(host);
      return Optional.empty();
    }
  }

  /// Runs the step once and ignores its result.
  void tryOnce(Step step, HostId host) {
    try {
      commands.send(commands.newRequest(step, host));
    } catch (ActivityFailure | UpgradeStopped _) {
      // Tried once, as promised.
    }
  }

  /// Blocks for `time`, unless the upgrade is stopped.
  void soak(HostId host, Duration time) {
    Instant end = Deadlines.now().plus(time);
    String message = "the soak of %s until %s".formatted(host, end);
    waits.await(
        PendingWaits.newPendingWait(UpgradeWaitReason.SOAK, AWAIT_HEARTBEAT, host, message, end), deadlines::isStopped);
    deadlines.throwIfStopped();
  }

  private void backOff(Step step, HostId host, Duration time, Failed failed) {
    Instant end = Deadlines.now().plus(time);
    String message = "the next try of %s on %s: %s".formatted(step, host, failed.message());
    waits.await(
        PendingWaits.newPendingWait(UpgradeWaitReason.BACK_OFF, step, host, message, end), deadlines::isStopped);
    deadlines.throwIfStopped();
  }

  private void awaitPerson(Step step, HostId host, Failed failed) {
    decisions.put(host, OperatorDecision.PENDING);
    try {
      String message = "an operator to decide about %s %s: %s".formatted(step, host, failed.message());
      waits.awaitUntilDeadline(UpgradeWaitReason.PERSON, step, host, message, () -> !waitsForPerson(host));
      if (decisions.get(host) == OperatorDecision.SKIP) {
        deadlines.recordSkip(failed.toReason());
        throw hosts.skip(host, failed.toReason());
      }
    } finally {
      decisions.remove(host);
    }
  }

  boolean waitsForPerson(HostId host) {
    return decisions.get(host) == OperatorDecision.PENDING;
  }

  void decide(HostId host, OperatorDecision operatorDecision) {
    decisions.put(host, operatorDecision);
  }

  /// Runs `work` until the host is skipped.
  void runUnlessSkipped(HostId host, Runnable work) {
    if (!hosts.isSkipped(host)) {
      try {
        work.run();
      } catch (HostSkipped _) {
        // Recorded where it was thrown.
      }
    }
  }

  void cancelRunning() {
    commands.cancelRunning();
  }

  /// Stops the upgrade because of a host. To be thrown by the caller.
  UpgradeStopped fail(HostId host, Reason reason) {
    hosts.recordReason(host, reason);
    return deadlines.requestStop(reason);
  }

  private static void rethrowIfCancelled(ActivityFailure failure) {
    if (failure.getCause() instanceof CanceledFailure) {
      throw failure;
    }
  }
}
