package dev.uplift.workflows.rollout;

import dev.uplift.fleet.rollout.RolloutOutcome;
import dev.uplift.fleet.rollout.Steer;
import dev.uplift.workflows.SearchAttributes;
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
  private final RolloutStart start;
  private final RolloutSteps steps;
  private final RolloutRecords records =
      Workflow.newLocalActivityStub(RolloutRecords.class, RolloutPace.records());
  private Optional<Tick> last = Optional.empty();
  private boolean woken;

  @WorkflowInit
  public RolloutImpl(RolloutStart start) {
    this.start = start;
    this.steps =
        Workflow.newActivityStub(RolloutSteps.class, start.pace().tick(start.release().toString()));
  }

  @Override
  public RolloutEnding run(RolloutStart start) {
    Promise<String> cancel = CancellationScope.current().getCancellationRequest();
    cancel.thenApply(this::cancelledInTemporal);
    Workflow.newDetachedCancellationScope(() -> tickOn(cancel)).run();
    Workflow.await(Workflow::isEveryHandlerFinished);
    if (outcome().isEmpty()) {
      Workflow.continueAsNew(start);
    }
    if (cancel.isCompleted()) {
      throw new CanceledFailure("the records say how it ended");
    }
    return new RolloutEnding(outcome().orElseThrow(), last.orElseThrow().sentence());
  }

  /// Returns when it is over, or when its history has become long.
  private void tickOn(Promise<String> cancel) {
    tick();
    while (outcome().isEmpty() && !(isLong() && !cancel.isCompleted())) {
      rest();
      tick();
    }
  }

  private static boolean isLong() {
    return Workflow.getInfo().isContinueAsNewSuggested();
  }

  private void tick() {
    woken = false;
    if (last.isEmpty()) {
      Workflow.setCurrentDetails(RolloutPage.BEGINS);
    }
    Tick found = steps.tick(start);
    last = Optional.of(found);
    Workflow.setCurrentDetails(RolloutPage.of(found));
    Workflow.upsertTypedSearchAttributes(
        SearchAttributes.PHASE.valueSet(found.state().toString()),
        found
            .outcome()
            .map(how -> SearchAttributes.OUTCOME.valueSet(how.toString()))
            .orElseGet(SearchAttributes.OUTCOME::valueUnset));
  }

  private Optional<RolloutOutcome> outcome() {
    return last.flatMap(Tick::outcome);
  }

  /// Until somebody says something, or the last tick wished to be followed.
  private void rest() {
    Workflow.newCancellationScope(
            scope -> {
              Promise<Void> alarm = Workflow.newTimer(untilNext());
              Workflow.await(() -> woken || alarm.isCompleted());
              // Its timer would go on.
              scope.cancel();
            })
        .run();
  }

  private Duration untilNext() {
    Duration atMost = start.pace().rest();
    Instant now = Instant.ofEpochMilli(Workflow.currentTimeMillis());
    return last.flatMap(Tick::lookAgain)
        .map(next -> Duration.between(now, next))
        .filter(rest -> rest.compareTo(atMost) < 0)
        .map(rest -> rest.isPositive() ? rest : Duration.ofMillis(1))
        .orElse(atMost);
  }

  @Override
  public Steered steer(SteerWish wish) {
    Steered answer = records.steer(start, wish);
    woken = true;
    return answer;
  }

  @Override
  public void lookAgain() {
    woken = true;
  }

  /// As a soft abort, by whoever pressed it.
  private String cancelledInTemporal(String why) {
    String id = Workflow.randomUUID().toString();
    SteerWish abort = SteerWish.of(id, Steer.ABORT, "Temporal", why);
    Async.procedure(Workflow.newDetachedCancellationScope(() -> steer(abort))::run);
    return why;
  }

  @Override
  public Optional<Tick> status() {
    return last;
  }
}
