package dev.uplift.workflows.device.procedure;

import static dev.uplift.fleet.Progress.CHANGED;
import static dev.uplift.fleet.Progress.UNCHANGED;
import static dev.uplift.fleet.Step.AWAIT_HEARTBEAT;
import static dev.uplift.fleet.Step.AWAIT_HOST;
import static dev.uplift.fleet.Step.CANCEL;
import static dev.uplift.fleet.Step.ROLLBACK;
import static dev.uplift.fleet.Step.UPGRADE;
import static dev.uplift.workflows.device.PendingWait.UpgradeWaitReason.HEARTBEAT;
import static dev.uplift.workflows.device.PendingWait.UpgradeWaitReason.OFFLINE;
import static dev.uplift.workflows.device.PendingWait.UpgradeWaitReason.PRESENCE;
import static dev.uplift.workflows.device.PendingWait.UpgradeWaitReason.RESULT;
import static io.temporal.api.enums.v1.RetryState.RETRY_STATE_TIMEOUT;

import dev.uplift.fleet.HostId;
import dev.uplift.fleet.HostState;
import dev.uplift.fleet.Reason;
import dev.uplift.fleet.Step;
import dev.uplift.workflows.device.HostObservation;
import dev.uplift.workflows.device.HostSteps;
import dev.uplift.workflows.device.PendingWait;
import dev.uplift.workflows.device.PendingWait.UpgradeWaitReason;
import dev.uplift.workflows.device.StepRequest;
import dev.uplift.workflows.device.StepResult;
import dev.uplift.workflows.device.StepResult.Failed;
import dev.uplift.workflows.device.StepResult.NotSent;
import dev.uplift.workflows.device.UpgradePlan;
import dev.uplift.workflows.device.UpgradeTimeouts;
import dev.uplift.workflows.device.procedure.Deadlines.UpgradeStopped;
import io.temporal.activity.ActivityOptions;
import io.temporal.failure.ActivityFailure;
import io.temporal.workflow.Async;
import io.temporal.workflow.Workflow;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Sends requests to hosts, waits for their results, and cancels the running ones.
final class StepDispatcher {
  private final UpgradePlan plan;
  private final UpgradeTimeouts timeouts;
  private final Deadlines deadlines;
  private final HostTracker hosts;
  private final PendingWaits waits;
  private final Map<String, Integer> generations = new HashMap<>();
  private final Set<StepRequest> running = new LinkedHashSet<>();
  private final Set<StepRequest> cancelled = new HashSet<>();

  StepDispatcher(UpgradePlan plan, Deadlines deadlines, HostTracker hosts, PendingWaits waits) {
    this.plan = plan;
    this.timeouts = plan.options().timeouts();
    this.deadlines = deadlines;
    this.hosts = hosts;
    this.waits = waits;
  }

  /// Creates the next generation of the step for the host.
  StepRequest newRequest(Step step, HostId host) {
    return newRequest(
        step, host, hosts.isUnchanged(host) ? deadlines.latestFirstChange(step) : deadlines.latestStart(step));
  }

  /// As above, with a latest start other than the step's usual one.
  StepRequest newRequest(Step step, HostId host, Instant notAfter) {
    boolean changes = step == UPGRADE || (step == ROLLBACK && deadlines.isForward());
    return new StepRequest(
        plan.upgrade(),
        plan.device(),
        host,
        step,
        generations.merge(step + " " + host, 1, Integer::sum),
        plan.release(),
        targetVersion(host),
        hosts.bootBefore(host),
        hosts.outgoingInstance(host),
        plan.options().allowDowngrade(),
        plan.options().overridePins(),
        changes && hosts.isUnchanged(host),
        notAfter,
        step.isShownByHeartbeat() ? Duration.ZERO : timeouts.stepTimeout(step));
  }

  private String targetVersion(HostId host) {
    boolean isForward = deadlines.isForward() && plan.revert().isEmpty();
    return isForward ? plan.release().version() : hosts.versionBefore(host);
  }

  /// Returns whether a heartbeat with this state is the one that [Step#AWAIT_HEARTBEAT] waits for.
  boolean isHeartbeatOf(HostId host, HostState state) {
    return state.hasReached(AWAIT_HEARTBEAT, targetVersion(host), hosts.bootBefore(host));
  }

  /// Sends the request and blocks until the host has answered.
  ///
  /// @throws UpgradeStopped if it is too late to start; then nothing is sent
  /// @throws io.temporal.failure.ActivityFailure if the host did not answer in time, or on a cancel
  StepResult send(StepRequest stepRequest) {
    return send(stepRequest, deadlines.latestEnd(stepRequest.step()));
  }

  /// As above, blocking until `until` at most.
  StepResult send(StepRequest stepRequest, Instant until) {
    deadlines.throwIfStopped();
    if (!Deadlines.now().isBefore(stepRequest.notAfter())) {
      throw deadlines.requestStop(Reason.deadline(stepRequest.notAfter(), stepRequest + " was not started"));
    }
    if (stepRequest.firstChange()) {
      // Before it is sent, because an upgrade without an answer may have happened all the same.
      hosts.setProgress(stepRequest.host(), CHANGED);
    }
    running.add(stepRequest);
    try {
      StepResult stepResult = waits.runDuring(newPendingWait(stepRequest, until), () -> sendUntil(stepRequest, until));
      hosts.update(stepRequest, stepResult);
      boolean unchanged =
          stepResult instanceof NotSent || (stepRequest.step() == ROLLBACK && stepResult.leftHostUnchanged());
      if (stepRequest.firstChange() && unchanged) {
        hosts.setProgress(stepRequest.host(), UNCHANGED);
      }
      return stepResult;
    } finally {
      running.remove(stepRequest);
    }
  }

  /// Starts the activity again if need be: Temporal ends a wait early if its next re-send would come after the end. A
  /// step fails by a result or by a failure, which mean the same ([StepResult]).
  private StepResult sendUntil(StepRequest stepRequest, Instant until) {
    while (true) {
      try {
        Duration left = Duration.between(Deadlines.now(), until);
        return send(stepRequest, newActivityStub(timeouts.stepOptions(left, summarize(stepRequest))));
      } catch (ActivityFailure ended) {
        Optional<Failed> failed = Failed.ofFailure(ended);
        if (failed.isPresent()) {
          return failed.get();
        }
        boolean early = ended.getRetryState() == RETRY_STATE_TIMEOUT;
        if (!early || !PendingWaits.pauseAndCheckTimeLeft(until)) {
          throw ended;
        }
      }
    }
  }

  private static StepResult send(StepRequest stepRequest, HostSteps agent) {
    return switch (stepRequest.step()) {
      case PREPARE -> agent.prepare(stepRequest);
      case AWAIT_HOST -> agent.awaitHost(stepRequest);
      case UPGRADE -> agent.upgrade(stepRequest);
      case REBOOT -> agent.reboot(stepRequest);
      case AWAIT_SUCCESSOR -> agent.awaitSuccessor(stepRequest);
      case STOP -> agent.stop(stepRequest);
      case AWAIT_HEARTBEAT -> agent.awaitHeartbeat(stepRequest);
      case COMMIT -> agent.commit(stepRequest);
      case ROLLBACK -> agent.rollback(stepRequest);
      case INSPECT -> agent.inspect(stepRequest);
      case CANCEL -> throw new IllegalArgumentException("a cancel has no result");
      case HALT, RESUME -> throw new IllegalArgumentException("no step of an upgrade: " + stepRequest.step());
    };
  }

  /// Returns what we know of the request and its host ourselves. Blocks while our own connection to the hosts is down.
  HostObservation observe(StepRequest stepRequest) {
    PendingWait pendingWait =
        new PendingWait(
            PRESENCE,
            stepRequest.step(),
            stepRequest.host(),
            "our own connection to the hosts, to find out what became of " + stepRequest,
            PRESENCE.from(stepRequest.host()),
            Deadlines.now(),
            Optional.empty());
    HostSteps observer = newActivityStub(timeouts.observeOptions("observe " + stepRequest.host()));
    return waits.runDuring(pendingWait, () -> observer.observe(stepRequest));
  }

  /// Cancels every running command and blocks until the hosts have answered *those*, because the cancel grace at most.
  void cancelRunning() {
    for (StepRequest stepRequest : List.copyOf(running)) {
      if (stepRequest.step().canBeCancelled() && cancelled.add(stepRequest)) {
        StepRequest cancel = newRequest(CANCEL, stepRequest.host());
        HostSteps agent = newActivityStub(timeouts.stepOptions(timeouts.cancelGrace(), cancel.toString()));
        Async.procedure(agent::cancel, cancel, stepRequest);
      }
    }
    Instant graceEnds = Deadlines.now().plus(timeouts.cancelGrace());
    PendingWaits.sleep(graceEnds, "answers to cancel", () -> Collections.disjoint(running, cancelled));
  }

  private static HostSteps newActivityStub(ActivityOptions options) {
    return Workflow.newActivityStub(HostSteps.class, options);
  }

  private static PendingWait newPendingWait(StepRequest stepRequest, Instant until) {
    return PendingWaits.newPendingWait(
        reason(stepRequest.step()), stepRequest.step(), stepRequest.host(), describe(stepRequest), until);
  }

  private static UpgradeWaitReason reason(Step step) {
    return step == AWAIT_HOST ? OFFLINE : step.isShownByHeartbeat() ? HEARTBEAT : RESULT;
  }

  private static String summarize(StepRequest stepRequest) {
    return stepRequest.step() == AWAIT_HOST ? stepRequest.host() + ": wait until it is heard" : stepRequest.toString();
  }

  private static String describe(StepRequest stepRequest) {
    String wanted = stepRequest.release().packageName() + " " + stepRequest.targetVersion();
    return switch (stepRequest.step()) {
      case AWAIT_HEARTBEAT ->
          "a heartbeat of %s that shows %s%s".formatted(stepRequest.host(), wanted, describeBoot(stepRequest));
      case AWAIT_HOST ->
          "a heartbeat of %s, which is not heard; nothing on it was changed".formatted(stepRequest.host());
      case AWAIT_SUCCESSOR -> "a heartbeat of %s that stands by on %s".formatted(wanted, stepRequest.host());
      case PREPARE, UPGRADE, REBOOT, STOP, COMMIT, ROLLBACK, HALT, RESUME, INSPECT, CANCEL ->
          "the answer of %s to %s".formatted(stepRequest.host(), stepRequest.step());
    };
  }

  private static String describeBoot(StepRequest stepRequest) {
    return stepRequest.bootBefore().isEmpty() ? "" : ", after another boot than " + stepRequest.bootBefore();
  }
}
