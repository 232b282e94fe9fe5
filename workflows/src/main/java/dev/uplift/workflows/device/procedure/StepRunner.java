package dev.uplift.workflows.device.procedure;

import static dev.uplift.fleet.Step.AWAIT_HEARTBEAT;
import static dev.uplift.fleet.Step.AWAIT_SUCCESSOR;
import static dev.uplift.fleet.Step.INSPECT;
import static dev.uplift.fleet.Step.PREPARE;
import static dev.uplift.fleet.Step.REBOOT;
import static dev.uplift.fleet.Step.STOP;

import dev.uplift.fleet.HostId;
import dev.uplift.fleet.Reason;
import dev.uplift.fleet.RetryDecision;
import dev.uplift.fleet.Step;
import dev.uplift.workflows.device.HostObservation;
import dev.uplift.workflows.device.StepRequest;
import dev.uplift.workflows.device.StepResult;
import dev.uplift.workflows.device.StepResult.Failed;
import dev.uplift.workflows.device.StepResult.HandoverRequired;
import dev.uplift.workflows.device.StepResult.RebootRequired;
import dev.uplift.workflows.device.UpgradePlan;
import dev.uplift.workflows.device.UpgradeWaitReason;
import io.temporal.failure.ActivityFailure;
import io.temporal.failure.CanceledFailure;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/// Has steps done by hosts, and does about a failed one what can be done. What the procedure should
/// not have to say at every step is said here once.
final class StepRunner {
  /// What a person says about a step that waits for one.
  enum OperatorDecision {
    PENDING,
    RETRY,
    SKIP
  }

  private final UpgradePlan plan;
  private final Deadlines deadlines;
  private final HostTracker hosts;
  private final PendingWaits waits;
  private final BoundedWaits boundedWaits;
  private final StepDispatcher commands;
  private final Map<HostId, OperatorDecision> decisions = new HashMap<>();

  StepRunner(UpgradePlan plan, Deadlines deadlines, HostTracker hosts, PendingWaits waits) {
    this.plan = plan;
    this.deadlines = deadlines;
    this.hosts = hosts;
    this.waits = waits;
    this.boundedWaits = new BoundedWaits(deadlines, waits);
    this.commands = new StepDispatcher(plan, deadlines, hosts, waits);
  }

  /// Returns when the host has done the step, or has still to reboot or to hand over for it.
  ///
  /// @throws UpgradeStopped when it has not and nothing more can be done about it
  /// @throws HostSkipped when a person has the host left as it is
  StepResult run(Step step, HostId host) {
    int tries = 0;
    while (true) {
      boundedWaits.awaitResume(step, host);
      StepRequest stepRequest = commands.newRequest(step, host);
      Optional<StepResult> lateResult = runOnce(stepRequest);
      deadlines.throwIfStopped();
      if (lateResult.isEmpty()) {
        continue;
      }
      StepResult stepResult = lateResult.get();
      Optional<Failed> failure = stepResult.failure();
      if (failure.isEmpty()) {
        return stepResult;
      }
      Failed failed = failure.get();
      switch (RetryDecision.of(failed.errorClass(), ++tries)) {
        case RETRY -> backOff(step, host, plan.timeouts().backOff(tries), failed);
        case ASK_PERSON -> {
          awaitPerson(step, host, failed);
          tries = 0;
        }
        case GIVE_UP -> throw fail(host, failed.reason());
      }
    }
  }

  /// Returns when the host is where the step leads. That is where a heartbeat shows it: its answer
  /// to the order is not enough.
  void runAndConfirm(Step there, HostId host) {
    StepResult stepResult = run(there, host);
    if (stepResult instanceof RebootRequired) {
      run(REBOOT, host);
    } else if (stepResult instanceof HandoverRequired) {
      // The old agent makes way only once the new one is seen: one of them works all the time.
      run(AWAIT_SUCCESSOR, host);
      run(STOP, host);
    }
    run(AWAIT_HEARTBEAT, host);
  }

  /// A time-out is a question, not a verdict: what counts is where the host is found to be. Empty
  /// if it was given too little time to prepare, because the deadline was moved meanwhile.
  private Optional<StepResult> runOnce(StepRequest stepRequest) {
    try {
      StepResult stepResult = commands.send(stepRequest);
      boolean tooLate = stepResult.failure().filter(Failed::isExpired).isPresent();
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
        && !PendingWaits.now().isBefore(stepRequest.notAfter())
        && !deadlines.isPastDeadline()
        && deadlines.isForward();
  }

  /// What became of an order: by what the host has said too late, by what its heartbeats show, by
  /// its answer to `inspect`. Its silence counts only if we could have heard it all the while.
  private StepResult determineResult(StepRequest stepRequest) {
    if (stepRequest.step() == PREPARE && deadlines.isPastDeadline()) {
      throw fail(stepRequest.host(), Reason.deadline(deadlines.notAfter(), "no answer to " + stepRequest));
    }
    HostObservation hostObservation = commands.observe(stepRequest);
    while (hostObservation.resultOf(stepRequest).isEmpty()) {
      Instant asked = PendingWaits.now();
      Optional<StepResult> found = inspect(stepRequest.host());
      if (found.isPresent() && found.get().showsDone(stepRequest)) {
        return found.get();
      }
      hostObservation = commands.observe(stepRequest);
      if (hostObservation.resultOf(stepRequest).isEmpty() && (found.isPresent() || hostObservation.coversSince(asked))) {
        throw fail(
            stepRequest.host(),
            found.map(stepResult -> stepResult.failureReason(stepRequest)).orElse(hostObservation.silenceReason(stepRequest)));
      }
    }
    return hostObservation.resultOf(stepRequest).get();
  }

  /// Returns when the host has said what it runs. To be there for that it has until the deadline.
  ///
  /// @throws UpgradeStopped when it has not
  void awaitVersion(HostId host) {
    try {
      StepRequest question = commands.newRequest(INSPECT, host, deadlines.notAfter());
      Optional<Failed> failure = commands.send(question, deadlines.notAfter()).failure();
      deadlines.throwIfStopped();
      if (failure.isPresent()) {
        throw fail(host, failure.get().reason());
      }
    } catch (ActivityFailure timeOut) {
      rethrowIfCancelled(timeOut);
      throw deadlines.requestStop(Reason.deadline(deadlines.notAfter(), host + " has not said what it runs"));
    }
  }

  /// What the host runs; empty if it does not say.
  Optional<StepResult> inspect(HostId host) {
    try {
      return Optional.of(commands.send(commands.newRequest(INSPECT, host)));
    } catch (ActivityFailure timeOut) {
      rethrowIfCancelled(timeOut);
      hosts.markUnknown(host);
      return Optional.empty();
    }
  }

  /// Orders the step once and leaves it at that, whatever comes of it.
  void tryOnce(Step step, HostId host) {
    try {
      commands.send(commands.newRequest(step, host));
    } catch (ActivityFailure | UpgradeStopped _) {
      // As good as we could.
    }
  }

  /// Gives the host time to show whether it is well.
  void soak(HostId host, Duration time) {
    Instant end = PendingWaits.now().plus(time);
    String sentence = "%s to prove itself until %s".formatted(host, end);
    waits.await(
        PendingWaits.newPendingWait(UpgradeWaitReason.SOAK, AWAIT_HEARTBEAT, host, sentence, end), deadlines::isStopped);
    deadlines.throwIfStopped();
  }

  private void backOff(Step step, HostId host, Duration time, Failed failed) {
    Instant end = PendingWaits.now().plus(time);
    String sentence = "the next try of %s on %s: %s".formatted(step, host, failed.message());
    waits.await(PendingWaits.newPendingWait(UpgradeWaitReason.BACK_OFF, step, host, sentence, end), deadlines::isStopped);
    deadlines.throwIfStopped();
  }

  private void awaitPerson(Step step, HostId host, Failed failed) {
    decisions.put(host, OperatorDecision.PENDING);
    try {
      String sentence = "a person to attend to %s %s: %s".formatted(step, host, failed.message());
      boundedWaits.await(UpgradeWaitReason.PERSON, step, host, sentence, () -> !waitsForPerson(host));
      if (decisions.get(host) == OperatorDecision.SKIP) {
        hosts.skip(host, failed.reason());
        deadlines.recordSkip(failed.reason());
        throw new HostSkipped();
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

  /// A host that a person skips is left as it is.
  void runUnlessSkipped(HostId host, Runnable work) {
    if (!hosts.isSkipped(host)) {
      try {
        work.run();
      } catch (HostSkipped _) {
        // Noted where it was said.
      }
    }
  }

  void cancelRunning() {
    commands.cancelRunning();
  }

  UpgradeStopped fail(HostId host, Reason why) {
    hosts.recordReason(host, why);
    return deadlines.requestStop(why);
  }

  private static void rethrowIfCancelled(ActivityFailure failure) {
    if (failure.getCause() instanceof CanceledFailure) {
      throw failure;
    }
  }
}
