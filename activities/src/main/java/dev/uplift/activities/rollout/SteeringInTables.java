package dev.uplift.activities.rollout;

import dev.uplift.fleet.RolloutId;
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
import java.util.Optional;

/// What persons say, written into the row that every pass locks and reads.
public final class SteeringInTables implements RolloutRecords {
  private final RolloutTables tables;

  SteeringInTables(RolloutTables tables) {
    this.tables = tables;
  }

  @Override
  public Steered steer(RolloutStart start, SteerWish wish) {
    var id = new RolloutId(start.tenant(), start.rollout());
    try {
      return tables.database().together(() -> locked(id, wish));
    } catch (DatabaseAway e) {
      throw ApplicationFailure.newBuilder()
          .setType(DatabaseAway.class.getSimpleName())
          .setMessage(String.valueOf(e.getMessage()))
          .setCategory(ApplicationErrorCategory.BENIGN)
          .build();
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
