package dev.uplift.workflows.rollout;

import dev.uplift.fleet.rollout.OperatorAction;
import dev.uplift.fleet.rollout.RolloutOutcome;
import dev.uplift.workflows.SearchAttributeKeys;
import io.temporal.failure.CanceledFailure;
import io.temporal.workflow.Async;
import io.temporal.workflow.CancellationScope;
import io.temporal.workflow.Promise;
import io.temporal.workflow.Workflow;
import io.temporal.workflow.WorkflowInit;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/// Tick, rest, tick again, until a tick says that it is over. People steer at any time, also while
/// a tick is under way: both meet in the tables.
public final class RolloutImpl implements Rollout {
  private final RolloutInput input;
  private final RolloutSteps steps;
  private final RolloutRecords records =
      Workflow.newLocalActivityStub(RolloutRecords.class, RolloutTimeouts.recordsOptions());
  private Optional<RolloutProgress> progress = Optional.empty();
  private boolean recheckRequested;

  @WorkflowInit
  public RolloutImpl(RolloutInput input) {
    this.input = input;
    this.steps =
        Workflow.newActivityStub(RolloutSteps.class, input.timeouts().advanceOptions(input.release().toString()));
  }

  @Override
  public RolloutResult run(RolloutInput input) {
    Promise<String> cancel = CancellationScope.current().getCancellationRequest();
    cancel.thenApply(this::abortOnTemporalCancel);
    Workflow.newDetachedCancellationScope(() -> advanceUntilDone(cancel)).run();
    Workflow.await(Workflow::isEveryHandlerFinished);
    if (outcome().isEmpty()) {
      Workflow.continueAsNew(input);
    }
    if (cancel.isCompleted()) {
      throw new CanceledFailure("the records say how it ended");
    }
    return new RolloutResult(outcome().orElseThrow(), progress.orElseThrow().message());
  }

  /// Returns when it is over, or when its history has become long.
  private void advanceUntilDone(Promise<String> cancel) {
    advance();
    while (outcome().isEmpty() && !(isHistoryLong() && !cancel.isCompleted())) {
      awaitChange();
      advance();
    }
  }

  private static boolean isHistoryLong() {
    return Workflow.getInfo().isContinueAsNewSuggested();
  }

  private void advance() {
    recheckRequested = false;
    if (progress.isEmpty()) {
      Workflow.setCurrentDetails(RolloutCurrentDetails.STARTING);
    }
    RolloutProgress found = steps.advance(input);
    progress = Optional.of(found);
    Workflow.setCurrentDetails(RolloutCurrentDetails.of(found));
    Workflow.upsertTypedSearchAttributes(
        SearchAttributeKeys.PHASE.valueSet(found.state().toString()),
        found
            .outcome()
            .map(how -> SearchAttributeKeys.OUTCOME.valueSet(how.toString()))
            .orElseGet(SearchAttributeKeys.OUTCOME::valueUnset));
  }

  private Optional<RolloutOutcome> outcome() {
    return progress.flatMap(RolloutProgress::outcome);
  }

  /// Until somebody says something, or the last tick wished to be followed.
  private void awaitChange() {
    Workflow.newCancellationScope(
            scope -> {
              Promise<Void> alarm = Workflow.newTimer(timeUntilNext());
              Workflow.await(() -> recheckRequested || alarm.isCompleted());
              // Its timer would go on.
              scope.cancel();
            })
        .run();
  }

  private Duration timeUntilNext() {
    Duration atMost = input.timeouts().maxIdle();
    Instant now = Instant.ofEpochMilli(Workflow.currentTimeMillis());
    return progress.flatMap(RolloutProgress::recheckAt)
        .map(next -> Duration.between(now, next))
        .filter(rest -> rest.compareTo(atMost) < 0)
        .map(rest -> rest.isPositive() ? rest : Duration.ofMillis(1))
        .orElse(atMost);
  }

  @Override
  public ActionResult applyAction(RolloutAction action) {
    ActionResult answer = records.applyAction(input, action);
    recheckRequested = true;
    return answer;
  }

  @Override
  public void recheck() {
    recheckRequested = true;
  }

  /// As a soft abort, by whoever pressed it.
  private String abortOnTemporalCancel(String why) {
    String id = Workflow.randomUUID().toString();
    RolloutAction abort = RolloutAction.of(id, OperatorAction.ABORT, "Temporal", why);
    Async.procedure(Workflow.newDetachedCancellationScope(() -> applyAction(abort))::run);
    return why;
  }

  @Override
  public Optional<RolloutProgress> status() {
    return progress;
  }
}
