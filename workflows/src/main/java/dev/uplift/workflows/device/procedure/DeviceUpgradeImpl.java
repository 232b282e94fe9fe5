package dev.uplift.workflows.device.procedure;

import dev.uplift.fleet.HostId;
import dev.uplift.fleet.Outcome;
import dev.uplift.fleet.Phase;
import dev.uplift.fleet.Reason;
import dev.uplift.fleet.UpgradeAction;
import dev.uplift.fleet.UpgradeState;
import dev.uplift.workflows.SearchAttributeKeys;
import dev.uplift.workflows.device.DeviceRecords;
import dev.uplift.workflows.device.DeviceRecords.StartCheck;
import dev.uplift.workflows.device.DeviceUpgrade;
import dev.uplift.workflows.device.DeviceUpgrade.Operator;
import dev.uplift.workflows.device.DeviceUpgrade.ProceedSignal;
import dev.uplift.workflows.device.UpgradeCurrentDetails;
import dev.uplift.workflows.device.UpgradePlan;
import dev.uplift.workflows.device.UpgradePlan.RequiredApproval;
import dev.uplift.workflows.device.UpgradeResult;
import dev.uplift.workflows.device.UpgradeStatus;
import dev.uplift.workflows.device.UpgradeTimeouts;
import dev.uplift.workflows.device.procedure.StepRunner.OperatorDecision;
import io.temporal.failure.CanceledFailure;
import io.temporal.workflow.CancellationScope;
import io.temporal.workflow.CompletablePromise;
import io.temporal.workflow.Promise;
import io.temporal.workflow.Workflow;
import io.temporal.workflow.WorkflowInit;
import java.time.Instant;
import java.util.function.Supplier;

/// Records the start and the result of an upgrade, lets operators control its [DeviceProcedure], and shows what it
/// does.
public final class DeviceUpgradeImpl implements DeviceUpgrade {
  private final UpgradePlan plan;
  private final HostTracker hosts;
  private final Deadlines deadlines;
  private final StepRunner steps;
  private final StartGate startGate;
  private final DeviceProcedure procedure;
  private final PendingWaits waits;
  private final WaitRecorder waitRecorder;
  private final DeviceRecords records =
      Workflow.newLocalActivityStub(DeviceRecords.class, UpgradeTimeouts.recordsOptions());
  private final DeviceRecords recordsOnceAccepted =
      Workflow.newActivityStub(DeviceRecords.class, UpgradeTimeouts.recordsOnceAcceptedOptions("record the end"));
  private Instant notAfter;
  private Phase phase = Phase.CHECK;

  @WorkflowInit
  public DeviceUpgradeImpl(UpgradePlan plan) {
    this.plan = plan;
    this.notAfter = plan.options().notAfter();
    this.hosts = new HostTracker(plan.hosts());
    this.deadlines = new Deadlines(plan);
    this.waits = new PendingWaits(deadlines, this::onNewWait);
    this.waitRecorder = new WaitRecorder(plan, waits);
    this.steps = new StepRunner(plan, deadlines, hosts, waits);
    this.startGate = new StartGate(plan, deadlines, hosts, waits, records);
    this.procedure =
        plan.revert()
            .<DeviceProcedure>map(upgradeToRevert ->
                new RevertProcedure(plan, upgradeToRevert, hosts, deadlines, steps, this::enterPhase))
            .orElseGet(() -> new UpgradeProcedure(plan, hosts, deadlines, steps, startGate, this::enterPhase));
  }

  @Override
  public UpgradeResult run(UpgradePlan plan) {
    Promise<String> cancel = CancellationScope.current().getCancellationRequest();
    cancel.thenApply(this::abortOnTemporalCancel);
    UpgradeResult result = runDetached(this::upgradeUnlessEnded);
    Workflow.await(Workflow::isEveryHandlerFinished);
    if (cancel.isCompleted()) {
      throw new CanceledFailure("the records have its result");
    }
    if (!result.outcome().isSuccess(plan.revert().isPresent())) {
      throw result.toFailure();
    }
    return result;
  }

  private UpgradeResult upgradeUnlessEnded() {
    StartCheck known = records.begin(plan);
    UpgradeResult result = known.earlierResult().orElseGet(() -> recordEnd(procedure.run(known.facts())));
    markEnded(result);
    return result;
  }

  /// Hosts have shown a success, so it is recorded at once. Any other end may come of what this server has read from
  /// the tables or its clock, while another server has taken over the workflow task; so Temporal accepts the task
  /// first. It also does while the report of a wait is in progress: one that arrives during the last workflow task has
  /// Temporal refuse the task, and a local activity would be repeated with it.
  private UpgradeResult recordEnd(UpgradeResult result) {
    boolean isRecordingWait = waitRecorder.stop();
    boolean isShown = result.outcome() != Outcome.NO_ACTION && result.outcome().isSuccess(plan.revert().isPresent());
    return (isShown && !isRecordingWait ? records : recordsOnceAccepted).end(plan, result);
  }

  @Override
  public String abort(Operator by) {
    String interrupted = describeCurrent();
    procedure.stop(Reason.abort(by.describe()));
    return interrupted;
  }

  @Override
  public void validateAbort(Operator by) {
    rejectIfRefused(new UpgradeAction.Abort());
  }

  private String abortOnTemporalCancel(String reason) {
    if (deadlines.canBeStopped()) {
      procedure.stop(Reason.abort("cancelled in Temporal: " + reason));
    }
    return reason;
  }

  @Override
  public String pause(Operator by) {
    deadlines.pause(by);
    return describeCurrent();
  }

  @Override
  public void validatePause(Operator by) {
    rejectIfRefused(new UpgradeAction.Pause());
  }

  @Override
  public String resume(Operator by) {
    deadlines.resume();
    return describeCurrent();
  }

  @Override
  public void validateResume(Operator by) {
    rejectIfRefused(new UpgradeAction.Resume());
  }

  @Override
  public String retryStep(HostId host, Operator by) {
    steps.decide(host, OperatorDecision.RETRY);
    return describeCurrent();
  }

  @Override
  public void validateRetryStep(HostId host, Operator by) {
    rejectIfRefused(new UpgradeAction.RetryStep(host));
  }

  @Override
  public String skipHost(HostId host, Operator by) {
    steps.decide(host, OperatorDecision.SKIP);
    return describeCurrent();
  }

  @Override
  public void validateSkipHost(HostId host, Operator by) {
    rejectIfRefused(new UpgradeAction.SkipHost(host));
  }

  @Override
  public String extendDeadline(Instant notAfter, Operator by) {
    this.notAfter = notAfter;
    deadlines.extend(notAfter);
    startGate.recheck();
    showCurrentDetails();
    return "may start steps until %s: %s".formatted(notAfter, describeCurrent());
  }

  @Override
  public void validateExtendDeadline(Instant notAfter, Operator by) {
    rejectIfRefused(new UpgradeAction.ExtendDeadline(notAfter));
  }

  @Override
  public String approve(Operator by) {
    startGate.approve(by);
    return describeCurrent();
  }

  @Override
  public void validateApprove(Operator by) {
    rejectIfRefused(new UpgradeAction.Approve(by.name()));
  }

  @Override
  public String deny(Operator by) {
    String doing = describeCurrent();
    procedure.stop(Reason.denied(by.describe()));
    return doing;
  }

  @Override
  public void validateDeny(Operator by) {
    rejectIfRefused(new UpgradeAction.Deny(by.name()));
  }

  @Override
  public void proceed(ProceedSignal signal) {
    startGate.proceed(signal);
  }

  @Override
  public void recheck() {
    startGate.recheck();
  }

  private void rejectIfRefused(UpgradeAction action) {
    status()
        .refusal(action, Deadlines.now())
        .ifPresent(why -> {
          throw new IllegalStateException(why);
        });
  }

  private String describeCurrent() {
    return status().describe();
  }

  @Override
  public UpgradeStatus status() {
    return new UpgradeStatus(
        plan.upgrade(),
        plan.device(),
        phase,
        hosts.report(),
        waits.open(),
        deadlines.pausedBy(),
        deadlines.reason(),
        new UpgradeState(
            deadlines.canBeStopped(),
            deadlines.pausedBy().isPresent(),
            plan.hosts().stream().filter(steps::waitsForPerson).toList(),
            notAfter,
            plan.conditions().approval().map(RequiredApproval::author),
            startGate.isApproved()));
  }

  private void onNewWait() {
    showCurrentDetails();
    waitRecorder.record();
  }

  private void showCurrentDetails() {
    Workflow.setCurrentDetails(UpgradeCurrentDetails.of(status()));
  }

  private void enterPhase(Phase next) {
    if (phase == next) {
      return;
    }
    phase = next;
    Workflow.upsertTypedSearchAttributes(SearchAttributeKeys.PHASE.valueSet(next.toString()));
  }

  private void markEnded(UpgradeResult result) {
    phase = Phase.ENDED;
    Workflow.upsertTypedSearchAttributes(
        SearchAttributeKeys.PHASE.valueSet(phase.toString()),
        SearchAttributeKeys.OUTCOME.valueSet(result.outcome().toString()));
    showCurrentDetails();
  }

  /// Runs `work` to its end also when the workflow is cancelled.
  private static <T> T runDetached(Supplier<T> work) {
    CompletablePromise<T> result = Workflow.newPromise();
    Workflow.newDetachedCancellationScope(() -> result.complete(work.get())).run();
    return result.get();
  }
}
