package dev.uplift.workflows.barrier;

import dev.uplift.fleet.barrier.BarrierAction;
import dev.uplift.fleet.barrier.BarrierDecision;
import dev.uplift.fleet.barrier.BarrierDecision.AwaitHosts;
import dev.uplift.fleet.barrier.BarrierDecision.Migrate;
import dev.uplift.fleet.barrier.BarrierDecision.Release;
import dev.uplift.fleet.barrier.BarrierOutcome;
import dev.uplift.fleet.barrier.BarrierState;
import dev.uplift.workflows.SearchAttributeKeys;
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

/// The procedure of a barrier. Its row holds where it is, because REST has to read that at any time: a new run begins
/// by reading it, and goes on from there.
public final class BarrierImpl implements Barrier {
  private final BarrierInput input;
  private @Nullable BarrierStatus status;

  @WorkflowInit
  public BarrierImpl(BarrierInput input) {
    this.input = input;
  }

  @Override
  public BarrierResult run(BarrierInput input) {
    Promise<String> cancel = CancellationScope.current().getCancellationRequest();
    cancel.thenApply(this::abortOnTemporalCancel);
    Workflow.newDetachedCancellationScope(this::haltMigrateResume).run();
    Workflow.await(Workflow::isEveryHandlerFinished);
    if (cancel.isCompleted()) {
      throw new CanceledFailure("the barrier's row has its outcome");
    }
    BarrierStatus end = current();
    return close(new BarrierResult(end.outcome().orElseThrow(), end.message()));
  }

  private void haltMigrateResume() {
    accept(records("where it is").read(input));
    BarrierDecision decision = haltHosts();
    if (decision instanceof Release(String reason)) {
      recordResuming(BarrierOutcome.ABORTED, reason);
    } else if (isBeforeResume()) {
      accept(records("the migration may begin").recordHalted(input));
      migrate();
    }
    resumeHosts();
    var _ = steps("end").end(input);
    accept(records("the end").read(input));
  }

  private BarrierDecision haltHosts() {
    BarrierDecision decision = new AwaitHosts();
    while (current().state() == BarrierState.HALTING && decision instanceof AwaitHosts) {
      accept(steps("halt " + current().counts().hosts() + " hosts").haltHosts(input));
      decision = current().decision();
    }
    return current().state() == BarrierState.HALTING ? decision : new Migrate();
  }

  private void migrate() {
    if (input.migratedBy().isPresent()) {
      migrateDevice(input.migratedBy().get());
    } else {
      awaitApproval();
    }
    BarrierStatus now = current();
    if (now.abortedBy().isPresent()) {
      recordResuming(BarrierOutcome.ABORTED, "aborted by " + now.abortedBy().get());
    } else if (now.continuedBy().isPresent()) {
      recordResuming(BarrierOutcome.ofMigrated(now.counts().missing()), "continued by " + now.continuedBy().get());
    } else if (isBeforeResume()) {
      recordResuming(BarrierOutcome.EXPIRED, "the migration was not done at " + input.until());
    }
  }

  /// Blocks until the migration is reported as done, the barrier is aborted, or the hosts resume by themselves.
  private void awaitApproval() {
    Duration left = Duration.between(time(), input.until());
    CancellationScope timed =
        Workflow.newCancellationScope(scope -> {
          Promise<Void> timer =
              Workflow.newTimer(
                  left.isPositive() ? left : Duration.ofMillis(1),
                  TimerOptions.newBuilder().setSummary("hosts resume by themselves").build());
          Workflow.await(() -> isAnswered() || timer.isCompleted());
          // The timer would stay.
          scope.cancel();
        });
    timed.run();
  }

  private boolean isAnswered() {
    return current().continuedBy().isPresent() || current().abortedBy().isPresent();
  }

  private void migrateDevice(String device) {
    MigrationResult result = new MigrationResult(true, false, "");
    while (result.isRunning() && current().abortedBy().isEmpty() && time().isBefore(input.until())) {
      result = steps("upgrade " + device).migrateDevice(input);
    }
    if (!result.isRunning() && current().abortedBy().isEmpty()) {
      boolean isOver = !time().isBefore(input.until());
      recordResuming(BarrierOutcome.ofUpgrade(result.isDone(), isOver, current().counts().missing()), result.message());
    }
  }

  /// Once at least: those too that have not answered are told.
  private void resumeHosts() {
    do {
      accept(steps("resume " + current().counts().halted() + " hosts").resumeHosts(input));
    } while (current().counts().halted() > 0);
  }

  private boolean isBeforeResume() {
    return current().state() == BarrierState.HALTING || current().state() == BarrierState.HALTED;
  }

  private void recordResuming(BarrierOutcome outcome, String message) {
    accept(records(outcome + ": " + message).recordResuming(input, outcome, message));
  }

  private static BarrierSteps steps(String summary) {
    return Workflow.newActivityStub(BarrierSteps.class, BarrierTimeouts.stepOptions(summary));
  }

  private static BarrierRecords records(String summary) {
    return Workflow.newLocalActivityStub(BarrierRecords.class, BarrierTimeouts.recordsOptions(summary));
  }

  private static Instant time() {
    return Instant.ofEpochMilli(Workflow.currentTimeMillis());
  }

  private BarrierStatus current() {
    if (status == null) {
      throw new IllegalStateException("nothing was read");
    }
    return status;
  }

  /// Ignores what was read before that which is known: an activity may have read the rows before a request was
  /// recorded, and return after it.
  private void accept(BarrierStatus found) {
    @Nullable BarrierStatus before = status;
    if (before != null && found.isOlderThan(before)) {
      return;
    }
    status = found;
    Workflow.setCurrentDetails(BarrierCurrentDetails.of(found, input));
    if (found.outcome().isPresent() && (before == null || before.outcome().isEmpty())) {
      Workflow.upsertTypedSearchAttributes(SearchAttributeKeys.OUTCOME.valueSet(found.outcome().get().toString()));
    }
    if (before == null || before.state() != found.state()) {
      Workflow.upsertTypedSearchAttributes(SearchAttributeKeys.PHASE.valueSet(found.state().toString()));
    }
  }

  @Override
  public void validateAct(BarrierRequest request) {
    Optional.ofNullable(status)
        .filter(_ -> !isBeforeResume())
        .flatMap(now -> request.action().refusal(now.state(), input.migratedBy().isEmpty(), false))
        .ifPresent(why -> {
          throw ApplicationFailure.newNonRetryableFailure(why, "refused");
        });
  }

  @Override
  public String act(BarrierRequest request) {
    Workflow.await(() -> status != null);
    BarrierRecords.RecordedRequest recorded =
        records("%s by %s".formatted(request.action(), request.by())).recordRequest(input, request);
    accept(recorded.status());
    return recorded.refusal();
  }

  @Override
  public Optional<BarrierStatus> status() {
    return Optional.ofNullable(status);
  }

  private String abortOnTemporalCancel(String why) {
    String id = Workflow.randomUUID().toString();
    var abort = new BarrierRequest(id, BarrierAction.ABORT, "Temporal", why, "");
    Async.procedure(Workflow.newDetachedCancellationScope(() -> act(abort))::run);
    return why;
  }

  /// Completed means migrated.
  private static BarrierResult close(BarrierResult result) {
    if (!result.outcome().isMigrated()) {
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
