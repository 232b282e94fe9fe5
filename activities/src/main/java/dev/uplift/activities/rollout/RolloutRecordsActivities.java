package dev.uplift.activities.rollout;

import dev.uplift.activities.temporal.ActivityFailures;
import dev.uplift.fleet.RolloutId;
import dev.uplift.fleet.rollout.Decision;
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
import dev.uplift.workflows.rollout.RolloutStatus;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/// Reads and writes the row of a rollout for its workflow, under the lock that every pass over its devices takes.
public final class RolloutRecordsActivities implements RolloutRecords {
  private final RolloutRepositories repositories;
  private final Consumer<RolloutId> notifyChanged;
  private final Consumer<RolloutId> notifyEnded;

  /// @param notifyChanged called for a rollout whose next pass is to be at once
  /// @param notifyEnded called for a rollout that has ended, at least once
  RolloutRecordsActivities(
      RolloutRepositories repositories, Consumer<RolloutId> notifyChanged, Consumer<RolloutId> notifyEnded) {
    this.repositories = repositories;
    this.notifyChanged = notifyChanged;
    this.notifyEnded = notifyEnded;
  }

  @Override
  public RolloutStatus readStatus(RolloutInput input) {
    RolloutId id = id(input);
    return inTransaction(() -> {
      Instant now = Instant.now();
      var rollout = new LockedRollout(repositories, id);
      return rollout.status(rollout.beginIfDue(lock(id).orElseThrow(), now), now);
    });
  }

  @Override
  public RolloutStatus recordDecision(RolloutInput input, int wave, Decision decision) {
    RolloutId id = id(input);
    RolloutStatus status =
        inTransaction(
            () -> new LockedRollout(repositories, id).record(lock(id).orElseThrow(), wave, decision, Instant.now()));
    if (status.outcome().isPresent()) {
      notifyEnded.accept(id);
    }
    return status;
  }

  @Override
  public AppliedAction applyAction(RolloutInput input, RolloutAction action) {
    RolloutId id = id(input);
    AppliedAction applied = inTransaction(() -> applyLocked(id, action));
    notifyChanged.accept(id);
    return applied;
  }

  private static RolloutId id(RolloutInput input) {
    return new RolloutId(input.tenant(), input.rollout());
  }

  private Optional<RolloutRow> lock(RolloutId id) {
    return repositories.rollouts().lock(id);
  }

  private <T> T inTransaction(Supplier<T> work) {
    try {
      return repositories.database().inTransaction(work);
    } catch (DatabaseUnavailable e) {
      throw ActivityFailures.retryable(e).build();
    }
  }

  private AppliedAction applyLocked(RolloutId id, RolloutAction action) {
    Optional<RolloutRow> row = lock(id);
    if (row.isEmpty()) {
      return new AppliedAction(new ActionResult(false, "there is no rollout " + id.name()), Optional.empty());
    }
    ActionResult result =
        resultOfEarlierCall(id, action)
            .or(() -> row.get().state().refusal(action.action()).map(RolloutActionHandler::refused))
            .orElseGet(() -> executeAndRecord(row.get(), action));
    var rollout = new LockedRollout(repositories, id);
    return new AppliedAction(result, Optional.of(rollout.status(rollout.row(), Instant.now())));
  }

  private Optional<ActionResult> resultOfEarlierCall(RolloutId id, RolloutAction action) {
    return repositories
        .decisions()
        .findByRequest(id, action.id())
        .map(DecisionRow::decision)
        .map(decision -> action.repeated(decision.decision(), decision.message()));
  }

  private ActionResult executeAndRecord(RolloutRow row, RolloutAction action) {
    ActionResult result = new RolloutActionHandler(repositories, row, action).execute();
    if (result.applied()) {
      repositories
          .decisions()
          .append(
              row.id(),
              new NewDecision(
                  row.currentWave(),
                  action.action().toString(),
                  "",
                  result.message(),
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
                  action.address().orElse(""),
                  action.reason().isEmpty() ? result.message() : result.message() + ": " + action.reason()));
    }
    return result;
  }
}
