package dev.uplift.workflows.rollout;

import dev.uplift.fleet.rollout.Decision;
import dev.uplift.fleet.rollout.Decision.Abort;
import dev.uplift.fleet.rollout.Decision.Finish;
import dev.uplift.fleet.rollout.Decision.NextWave;
import dev.uplift.fleet.rollout.Decision.Pause;
import dev.uplift.fleet.rollout.Decision.RollBackWave;
import dev.uplift.fleet.rollout.Decision.Start;
import dev.uplift.fleet.rollout.Decision.Wait;
import dev.uplift.fleet.rollout.OperatorAction;
import dev.uplift.fleet.rollout.RolloutOutcome;
import dev.uplift.fleet.rollout.RolloutState;
import dev.uplift.fleet.rollout.decision.WavePolicy;
import dev.uplift.fleet.rollout.decision.WaveStep;
import dev.uplift.workflows.SearchAttributeKeys;
import io.temporal.failure.ActivityFailure;
import io.temporal.failure.ApplicationErrorCategory;
import io.temporal.failure.ApplicationFailure;
import io.temporal.failure.CanceledFailure;
import io.temporal.workflow.Async;
import io.temporal.workflow.CancellationScope;
import io.temporal.workflow.Promise;
import io.temporal.workflow.TimerOptions;
import io.temporal.workflow.Workflow;
import io.temporal.workflow.WorkflowInit;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Asks the policy what the rollout does now, and does it, until it has ended: upgrades, soaks or rolls back a wave,
/// waits for a time or a person, begins the next wave, pauses or aborts.
///
/// The rows hold its state, because REST has to read them at any time: each decision and each action is written there
/// before anything follows from it, and a new run, a reset and a restart begin by reading them.
public final class RolloutImpl implements Rollout {
  private final RolloutInput input;
  private @Nullable RolloutStatus status;

  /// The step on devices that is in progress.
  private @Nullable CancellationScope work;

  /// True if an operator or a signal may have changed the next decision.
  private boolean changed;

  @WorkflowInit
  public RolloutImpl(RolloutInput input) {
    this.input = input;
  }

  @Override
  public RolloutResult run(RolloutInput input) {
    Promise<String> cancel = CancellationScope.current().getCancellationRequest();
    cancel.thenApply(this::abortOnTemporalCancel);
    Workflow.newDetachedCancellationScope(() -> rollOut(cancel)).run();
    Workflow.await(Workflow::isEveryHandlerFinished);
    RolloutStatus end = current();
    if (end.outcome().isEmpty()) {
      Workflow.continueAsNew(input);
    }
    if (cancel.isCompleted()) {
      throw new CanceledFailure("the rollout's row has its outcome");
    }
    return close(new RolloutResult(end.outcome().orElseThrow(), end.message()));
  }

  /// Returns when the rollout has ended, or its history has become long.
  private void rollOut(Promise<String> cancel) {
    readStatus("where it is");
    while (current().outcome().isEmpty() && !(isHistoryLong() && !cancel.isCompleted())) {
      RolloutStatus now = current();
      if (now.startAt().isPresent()) {
        awaitStart(now);
      } else if (now.idle().isPresent()) {
        awaitBlockedDevices(now, now.idle().get());
      } else {
        obey(now, WavePolicy.decide(now.snapshot()));
      }
    }
  }

  private static boolean isHistoryLong() {
    return Workflow.getInfo().isContinueAsNewSuggested();
  }

  private void obey(RolloutStatus now, Decision decision) {
    switch (decision) {
      case Start start -> work(WaveStep.UPGRADE_WAVE, now, start);
      case Wait wait ->
          WaveStep.of(wait, now.snapshot())
              .ifPresentOrElse(step -> work(step, now, wait), () -> awaitGateOrResume(now, wait));
      case NextWave _, Pause _, Abort _, RollBackWave _, Finish _ -> record(now, decision);
    }
  }

  /// One activity, until it has found something to decide.
  private void work(WaveStep step, RolloutStatus now, Decision decision) {
    String title = now.snapshot().rules().title();
    String message = decision.message();
    RolloutSteps steps =
        Workflow.newActivityStub(
            RolloutSteps.class,
            input.timeouts().stepOptions(message.startsWith(title) ? message : title + ": " + message));
    changed = false;
    CancellationScope scope = Workflow.newCancellationScope(() -> accept(now, run(step, steps)));
    work = scope;
    try {
      scope.run();
    } catch (ActivityFailure e) {
      // The next run does the rest.
      if (!(e.getCause() instanceof CanceledFailure)) {
        throw e;
      }
    } finally {
      work = null;
    }
  }

  private RolloutStatus run(WaveStep step, RolloutSteps steps) {
    return switch (step) {
      case UPGRADE_WAVE -> steps.upgradeWave(input);
      case SOAK_WAVE -> steps.soakWave(input);
      case ROLL_BACK_WAVE -> steps.rollBackWave(input);
      case FINISH_RUNNING -> steps.finishRunning(input);
    };
  }

  private void awaitStart(RolloutStatus now) {
    awaitChange(now.startAt(), now.message());
    readUnlessActed(now, "whether it starts");
  }

  private void awaitBlockedDevices(RolloutStatus now, Wait idle) {
    Instant latest = time().plus(input.timeouts().maxIdle());
    awaitChange(Optional.of(idle.until().filter(latest::isAfter).orElse(latest)), idle.message());
    status = now.equals(status) ? now.withIdle(Optional.empty()) : current();
  }

  /// No device is in progress: a person or the time decides.
  private void awaitGateOrResume(RolloutStatus now, Wait wait) {
    if (now.records(wait)) {
      awaitChange(now.nextChange(wait), wait.message());
      readUnlessActed(now, "whether it continues");
    } else {
      record(now, wait);
    }
  }

  private void record(RolloutStatus now, Decision decision) {
    changed = false;
    accept(
        now,
        records(decision.code() + ": " + decision.message())
            .recordDecision(input, now.snapshot().rules().number(), decision));
  }

  /// An action has brought its own status.
  private void readUnlessActed(RolloutStatus before, String summary) {
    if (current().equals(before)) {
      readStatus(summary);
    }
  }

  private void readStatus(String summary) {
    changed = false;
    accept(status, records(summary).readStatus(input));
  }

  private static RolloutRecords records(String summary) {
    return Workflow.newLocalActivityStub(RolloutRecords.class, RolloutTimeouts.recordsOptions(summary));
  }

  /// Blocks until an operator acts, a signal comes, or it is `until`.
  private void awaitChange(Optional<Instant> until, String summary) {
    if (until.isEmpty()) {
      Workflow.await(() -> changed);
    } else {
      awaitChangeOrTimer(Duration.between(time(), until.get()), summary);
    }
  }

  private void awaitChangeOrTimer(Duration left, String summary) {
    Duration rest = left.isPositive() ? left : Duration.ofMillis(1);
    CancellationScope timed =
        Workflow.newCancellationScope(scope -> {
          Promise<Void> timer = Workflow.newTimer(rest, TimerOptions.newBuilder().setSummary(summary).build());
          Workflow.await(() -> changed || timer.isCompleted());
          // The timer would stay.
          scope.cancel();
        });
    timed.run();
  }

  private static Instant time() {
    return Instant.ofEpochMilli(Workflow.currentTimeMillis());
  }

  private RolloutStatus current() {
    if (status == null) {
      throw new IllegalStateException("nothing was read");
    }
    return status;
  }

  /// Ignores a result that another one has overtaken: an operator acts while a step works.
  ///
  /// @param asked the status when it was asked for
  private void accept(@Nullable RolloutStatus asked, RolloutStatus found) {
    @Nullable RolloutStatus before = status;
    if (before != null && !before.equals(asked) && found.version() < before.version()) {
      return;
    }
    status = found;
    Workflow.setCurrentDetails(RolloutCurrentDetails.of(found));
    if (found.outcome().isPresent()) {
      Workflow.upsertTypedSearchAttributes(
          SearchAttributeKeys.PHASE.valueSet(found.state().toString()),
          SearchAttributeKeys.OUTCOME.valueSet(found.outcome().get().toString()));
    } else if (found.state() != (before == null ? RolloutState.RUNNING : before.state())) {
      Workflow.upsertTypedSearchAttributes(SearchAttributeKeys.PHASE.valueSet(found.state().toString()));
    }
  }

  @Override
  public void validateAction(RolloutAction action) {
    Optional.ofNullable(status)
        .filter(now -> now.outcome().isPresent())
        .flatMap(now -> now.state().refusal(action.action()))
        .ifPresent(why -> {
          throw ApplicationFailure.newNonRetryableFailure(why, "refused");
        });
  }

  @Override
  public ActionResult applyAction(RolloutAction action) {
    @Nullable RolloutStatus before = status;
    var applied = records("%s by %s".formatted(action.action(), action.by())).applyAction(input, action);
    applied.status().ifPresent(found -> accept(before, found));
    requestDecision();
    if (applied.result().applied() && action.action().stopsStarts()) {
      awaitStarts();
    }
    return applied.result();
  }

  /// The step in progress returns because of the action; the devices that it was starting are started then. The next
  /// step may have begun by the time that this is looked at.
  private void awaitStarts() {
    @Nullable CancellationScope step = work;
    if (step != null) {
      CancellationScope timed =
          Workflow.newCancellationScope(scope -> {
            Workflow.await(RolloutTimeouts.START_TIMEOUT, () -> !step.equals(work));
            scope.cancel();
          });
      timed.run();
    }
  }

  @Override
  public void recheck() {
    requestDecision();
  }

  /// An action that is carried out ends the step in progress. A signal, and an action that is refused, do so only when
  /// the history has to end: a run takes a limited number of them.
  private void requestDecision() {
    changed = true;
    CancellationScope step = work;
    if (step != null && isHistoryLong()) {
      step.cancel("the history is long");
    }
  }

  /// A soft abort, for the reason given to Temporal.
  private String abortOnTemporalCancel(String why) {
    String id = Workflow.randomUUID().toString();
    RolloutAction abort = RolloutAction.of(id, OperatorAction.ABORT, "Temporal", why);
    Async.procedure(Workflow.newDetachedCancellationScope(() -> applyAction(abort))::run);
    return why;
  }

  @Override
  public Optional<RolloutStatus> status() {
    return Optional.ofNullable(status);
  }

  /// Completed means done: what was stopped before its last wave fails the workflow.
  private static RolloutResult close(RolloutResult result) {
    if (result.outcome() == RolloutOutcome.ABORTED || result.outcome() == RolloutOutcome.EXPIRED) {
      throw ApplicationFailure.newBuilder()
          .setType(result.outcome().toString())
          .setMessage(result.message())
          .setDetails(result)
          .setCategory(ApplicationErrorCategory.BENIGN)
          .setNonRetryable(true)
          .build();
    }
    return result;
  }
}
