package dev.uplift.workflows.device.procedure;

import static dev.uplift.fleet.Progress.CHANGED;
import static dev.uplift.fleet.Progress.UNCHANGED;
import static dev.uplift.fleet.Step.AWAIT_HEARTBEAT;
import static dev.uplift.fleet.Step.CANCEL;
import static dev.uplift.fleet.Step.ROLLBACK;
import static dev.uplift.fleet.Step.UPGRADE;
import static dev.uplift.workflows.device.UpgradeWaitReason.HEARTBEAT;
import static dev.uplift.workflows.device.UpgradeWaitReason.PRESENCE;
import static dev.uplift.workflows.device.UpgradeWaitReason.RESULT;
import static io.temporal.api.enums.v1.RetryState.RETRY_STATE_TIMEOUT;

import dev.uplift.fleet.HostId;
import dev.uplift.fleet.Reason;
import dev.uplift.fleet.Step;
import dev.uplift.workflows.device.HostObservation;
import dev.uplift.workflows.device.HostSteps;
import dev.uplift.workflows.device.PendingWait;
import dev.uplift.workflows.device.StepRequest;
import dev.uplift.workflows.device.StepResult;
import dev.uplift.workflows.device.UpgradePlan;
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

/// Sends orders to hosts, waits for what they say, and breaks off what is in work.
final class StepDispatcher {
  private final UpgradePlan plan;
  private final Deadlines deadlines;
  private final HostTracker hosts;
  private final PendingWaits waits;
  private final Map<String, Integer> generations = new HashMap<>();
  private final Set<StepRequest> running = new LinkedHashSet<>();
  private final Set<StepRequest> cancelled = new HashSet<>();

  StepDispatcher(UpgradePlan plan, Deadlines deadlines, HostTracker hosts, PendingWaits waits) {
    this.plan = plan;
    this.deadlines = deadlines;
    this.hosts = hosts;
    this.waits = waits;
  }

  /// What the host is to do next, as the next generation of the step.
  StepRequest newRequest(Step step, HostId host) {
    return newRequest(
        step, host, hosts.isUnchanged(host) ? deadlines.latestFirstChange(step) : deadlines.latestStart(step));
  }

  /// The same, with another end than the step usually has.
  StepRequest newRequest(Step step, HostId host, Instant notAfter) {
    boolean brings = deadlines.isForward() && plan.revert().isEmpty();
    return new StepRequest(
        plan.upgrade(),
        plan.device(),
        host,
        step,
        generations.merge(step + " " + host, 1, Integer::sum),
        plan.release(),
        brings ? plan.release().version() : hosts.versionBefore(host),
        hosts.bootBefore(host),
        hosts.outgoingInstance(host),
        plan.allowDowngrade(),
        notAfter);
  }

  /// What the host says.
  ///
  /// @throws UpgradeStopped if it is too late to begin; then nothing is sent
  /// @throws io.temporal.failure.ActivityFailure if it said nothing in time, or on a cancel
  StepResult send(StepRequest stepRequest) {
    return send(stepRequest, deadlines.latestEnd(stepRequest.step()));
  }

  /// The same, by a host that has until then.
  StepResult send(StepRequest stepRequest, Instant until) {
    deadlines.throwIfStopped();
    if (!PendingWaits.now().isBefore(stepRequest.notAfter())) {
      throw deadlines.requestStop(Reason.deadline(stepRequest.notAfter(), stepRequest + " was not begun"));
    }
    if ((stepRequest.step() == UPGRADE || isRevert(stepRequest)) && hosts.isUnchanged(stepRequest.host())) {
      // Before it is sent: an upgrade that nobody answers may have happened all the same.
      hosts.setProgress(stepRequest.host(), CHANGED);
    }
    running.add(stepRequest);
    try {
      StepResult stepResult = waits.runDuring(newPendingWait(stepRequest, until), () -> sendUntil(stepRequest, until));
      hosts.update(stepRequest, stepResult);
      if (isRevert(stepRequest) && stepRequest.generation() == 1 && stepResult.leftHostUnchanged()) {
        hosts.setProgress(stepRequest.host(), UNCHANGED);
      }
      return stepResult;
    } finally {
      running.remove(stepRequest);
    }
  }

  /// Whether it takes back what is done, rather than what has failed.
  private boolean isRevert(StepRequest stepRequest) {
    return stepRequest.step() == ROLLBACK && deadlines.isForward();
  }

  /// The same order again if need be: Temporal ends a wait early whose next re-send would come too
  /// late.
  private StepResult sendUntil(StepRequest stepRequest, Instant until) {
    while (true) {
      try {
        Duration left = Duration.between(PendingWaits.now(), until);
        return send(stepRequest, newActivityStub(plan.timeouts().stepOptions(left, stepRequest.toString())));
      } catch (ActivityFailure ended) {
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
      case UPGRADE -> agent.upgrade(stepRequest);
      case REBOOT -> agent.reboot(stepRequest);
      case AWAIT_SUCCESSOR -> agent.awaitSuccessor(stepRequest);
      case STOP -> agent.stop(stepRequest);
      case AWAIT_HEARTBEAT -> agent.awaitHeartbeat(stepRequest);
      case COMMIT -> agent.commit(stepRequest);
      case ROLLBACK -> agent.rollback(stepRequest);
      case INSPECT -> agent.inspect(stepRequest);
      case CANCEL -> throw new IllegalArgumentException("nobody waits for a cancel");
    };
  }

  /// What we know of the order and its host ourselves. Waits as long as our own link is down.
  HostObservation observe(StepRequest stepRequest) {
    PendingWait pendingWait =
        new PendingWait(
            PRESENCE,
            stepRequest.step(),
            stepRequest.host(),
            "our own link to the hosts, to tell what became of " + stepRequest,
            PRESENCE.from(stepRequest.host()),
            PendingWaits.now(),
            Optional.empty());
    HostSteps us = newActivityStub(plan.timeouts().observeOptions("look at " + stepRequest.host()));
    return waits.runDuring(pendingWait, () -> us.observe(stepRequest));
  }

  /// Has every command in work cancelled and awaits the answers to *them*, but no longer than the
  /// grace.
  void cancelRunning() {
    for (StepRequest stepRequest : List.copyOf(running)) {
      if (stepRequest.step().canBeCancelled() && cancelled.add(stepRequest)) {
        StepRequest cancel = newRequest(CANCEL, stepRequest.host());
        HostSteps agent = newActivityStub(plan.timeouts().stepOptions(plan.timeouts().cancelGrace(), cancel.toString()));
        Async.procedure(agent::cancel, cancel, stepRequest);
      }
    }
    Instant graceEnds = PendingWaits.now().plus(plan.timeouts().cancelGrace());
    PendingWaits.sleep(graceEnds, "answers to cancel", () -> Collections.disjoint(running, cancelled));
  }

  private static HostSteps newActivityStub(ActivityOptions options) {
    return Workflow.newActivityStub(HostSteps.class, options);
  }

  private static PendingWait newPendingWait(StepRequest stepRequest, Instant until) {
    return PendingWaits.newPendingWait(
        stepRequest.step().isShownByHeartbeat() ? HEARTBEAT : RESULT,
        stepRequest.step(),
        stepRequest.host(),
        describe(stepRequest),
        until);
  }

  private static String describe(StepRequest stepRequest) {
    String wanted = stepRequest.release().packageName() + " " + stepRequest.targetVersion();
    return switch (stepRequest.step()) {
      case AWAIT_HEARTBEAT ->
          "a heartbeat of %s that shows %s%s".formatted(stepRequest.host(), wanted, describeBoot(stepRequest));
      case AWAIT_SUCCESSOR ->
          "a heartbeat of %s that stands by on %s".formatted(wanted, stepRequest.host());
      case PREPARE, UPGRADE, REBOOT, STOP, COMMIT, ROLLBACK, INSPECT, CANCEL ->
          "the answer of %s to %s".formatted(stepRequest.host(), stepRequest.step());
    };
  }

  private static String describeBoot(StepRequest stepRequest) {
    return stepRequest.bootBefore().isEmpty() ? "" : ", after another boot than " + stepRequest.bootBefore();
  }
}
