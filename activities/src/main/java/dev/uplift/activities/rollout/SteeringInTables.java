package dev.uplift.activities.rollout;

import dev.uplift.fleet.RolloutId;
import dev.uplift.fleet.rollout.Steer;
import dev.uplift.fleet.rollout.TargetState;
import dev.uplift.store.AuditEntry;
import dev.uplift.store.DatabaseAway;
import dev.uplift.store.DecisionRow;
import dev.uplift.store.NewDecision;
import dev.uplift.store.RolloutRow;
import dev.uplift.workflows.rollout.RolloutRecords;
import dev.uplift.workflows.rollout.RolloutStart;
import dev.uplift.workflows.rollout.SteerWish;
import dev.uplift.workflows.rollout.Steered;
import io.temporal.failure.ApplicationErrorCategory;
import io.temporal.failure.ApplicationFailure;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/// What persons say, written into the row that every pass locks and reads.
public final class SteeringInTables implements RolloutRecords {
  /// A start takes milliseconds. One whose server was killed is not waited for.
  private static final Duration STARTS = Duration.ofSeconds(5);

  private static final Duration LOOK = Duration.ofMillis(20);
  private static final Set<Steer> STOPS =
      EnumSet.of(Steer.PAUSE, Steer.DENY, Steer.ABORT, Steer.ABORT_HARD);

  private final RolloutTables tables;
  private final Consumer<RolloutId> wake;

  /// @param wake whose tick is to look at once
  SteeringInTables(RolloutTables tables, Consumer<RolloutId> wake) {
    this.tables = tables;
    this.wake = wake;
  }

  @Override
  public Steered steer(RolloutStart start, SteerWish wish) {
    var id = new RolloutId(start.tenant(), start.rollout());
    try {
      Steered answer = tables.database().together(() -> locked(id, wish));
      wake.accept(id);
      if (answer.done() && STOPS.contains(wish.what())) {
        awaitStarts(id);
      }
      return answer;
    } catch (DatabaseAway e) {
      throw ApplicationFailure.newBuilder()
          .setType(DatabaseAway.class.getSimpleName())
          .setMessage(String.valueOf(e.getMessage()))
          .setCategory(ApplicationErrorCategory.BENIGN)
          .build();
    }
  }

  /// Who was marked before and is just being started, has been or is not any more: nobody is
  /// started after the answer.
  private void awaitStarts(RolloutId id) {
    Instant end = Instant.now().plus(STARTS);
    try {
      while (!tables.queue().in(id, TargetState.STARTING).isEmpty()
          && Instant.now().isBefore(end)) {
        Thread.sleep(LOOK);
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  private Steered locked(RolloutId id, SteerWish wish) {
    Optional<RolloutRow> row = tables.rollouts().lock(id);
    if (row.isEmpty()) {
      return new Steered(false, "there is no rollout " + id.name());
    }
    Optional<Steered> before =
        tables
            .decisions()
            .answered(id, wish.id())
            .map(DecisionRow::said)
            .map(said -> new Steered(true, said.sentence()));
    return before
        .or(() -> row.get().state().refuses(wish.what()).map(why -> new Steered(false, why)))
        .orElseGet(() -> carryOut(row.get(), wish));
  }

  private Steered carryOut(RolloutRow row, SteerWish wish) {
    Steered answer = new Wishing(tables, row, wish).carryOut();
    if (answer.done()) {
      tables
          .decisions()
          .append(
              row.id(),
              new NewDecision(
                  row.currentWave(),
                  wish.what().toString(),
                  "",
                  answer.sentence(),
                  "",
                  wish.by(),
                  Optional.of(wish.id())));
      tables
          .audit()
          .append(
              new AuditEntry(
                  row.id().tenant(),
                  wish.by(),
                  "rollout." + wish.what(),
                  "rollout/" + row.id().name(),
                  "",
                  wish.remark().isEmpty()
                      ? answer.sentence()
                      : answer.sentence() + ": " + wish.remark()));
    }
    return answer;
  }
}
