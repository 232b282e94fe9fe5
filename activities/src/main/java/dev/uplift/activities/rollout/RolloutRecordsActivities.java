package dev.uplift.activities.rollout;

import dev.uplift.fleet.RolloutId;
import dev.uplift.fleet.rollout.OperatorAction;
import dev.uplift.fleet.rollout.TargetState;
import dev.uplift.services.rollout.RolloutRepositories;
import dev.uplift.store.DatabaseUnavailable;
import dev.uplift.store.audit.AuditEntry;
import dev.uplift.store.rollout.DecisionRow;
import dev.uplift.store.rollout.NewDecision;
import dev.uplift.store.rollout.RolloutRow;
import dev.uplift.workflows.rollout.ActionResult;
import dev.uplift.workflows.rollout.RolloutAction;
import dev.uplift.workflows.rollout.RolloutInput;
import dev.uplift.workflows.rollout.RolloutRecords;
import io.temporal.failure.ApplicationErrorCategory;
import io.temporal.failure.ApplicationFailure;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/// What persons say, written into the row that every pass locks and reads.
public final class RolloutRecordsActivities implements RolloutRecords {
  /// A start takes milliseconds. One whose server was killed is not waited for.
  private static final Duration START_TIMEOUT = Duration.ofSeconds(5);

  private static final Duration POLL_INTERVAL = Duration.ofMillis(20);
  private static final Set<OperatorAction> STOPPING_ACTIONS =
      EnumSet.of(OperatorAction.PAUSE, OperatorAction.DENY, OperatorAction.ABORT, OperatorAction.ABORT_RUNNING);

  private final RolloutRepositories repositories;
  private final Consumer<RolloutId> notifyChanged;

  /// @param notifyChanged whose tick is to look at once
  RolloutRecordsActivities(RolloutRepositories repositories, Consumer<RolloutId> notifyChanged) {
    this.repositories = repositories;
    this.notifyChanged = notifyChanged;
  }

  @Override
  public ActionResult applyAction(RolloutInput input, RolloutAction action) {
    var id = new RolloutId(input.tenant(), input.rollout());
    try {
      ActionResult answer = repositories.database().inTransaction(() -> executeOnce(id, action));
      notifyChanged.accept(id);
      if (answer.applied() && STOPPING_ACTIONS.contains(action.action())) {
        awaitStarts(id);
      }
      return answer;
    } catch (DatabaseUnavailable e) {
      throw ApplicationFailure.newBuilder()
          .setType(DatabaseUnavailable.class.getSimpleName())
          .setMessage(String.valueOf(e.getMessage()))
          .setCategory(ApplicationErrorCategory.BENIGN)
          .build();
    }
  }

  /// Who was marked before and is just being started, has been or is not any more: nobody is
  /// started after the answer.
  private void awaitStarts(RolloutId id) {
    Instant end = Instant.now().plus(START_TIMEOUT);
    try {
      while (!repositories.queue().listInState(id, TargetState.STARTING).isEmpty()
          && Instant.now().isBefore(end)) {
        Thread.sleep(POLL_INTERVAL);
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  private ActionResult executeOnce(RolloutId id, RolloutAction action) {
    Optional<RolloutRow> row = repositories.rollouts().lock(id);
    if (row.isEmpty()) {
      return new ActionResult(false, "there is no rollout " + id.name());
    }
    Optional<ActionResult> before =
        repositories
            .decisions()
            .findByRequest(id, action.id())
            .map(DecisionRow::decision)
            .map(decision -> new ActionResult(true, decision.message()));
    return before
        .or(() -> row.get().state().refusal(action.action()).map(why -> new ActionResult(false, why)))
        .orElseGet(() -> executeAndRecord(row.get(), action));
  }

  private ActionResult executeAndRecord(RolloutRow row, RolloutAction action) {
    ActionResult answer = new RolloutActionHandler(repositories, row, action).execute();
    if (answer.applied()) {
      repositories
          .decisions()
          .append(
              row.id(),
              new NewDecision(
                  row.currentWave(),
                  action.action().toString(),
                  "",
                  answer.message(),
                  "",
                  action.by(),
                  Optional.of(action.id())));
      repositories
          .audit()
          .append(
              new AuditEntry(
                  row.id().tenant(),
                  action.by(),
                  "rollout." + action.action(),
                  "rollout/" + row.id().name(),
                  "",
                  action.reason().isEmpty()
                      ? answer.message()
                      : answer.message() + ": " + action.reason()));
    }
    return answer;
  }
}
