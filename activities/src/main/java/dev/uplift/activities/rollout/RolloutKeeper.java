package dev.uplift.activities.rollout;

import dev.uplift.activities.temporal.RolloutStarter;
import dev.uplift.activities.temporal.TemporalAway;
import dev.uplift.fleet.rollout.RolloutState;
import dev.uplift.fleet.rollout.Steering;
import dev.uplift.fleet.rollout.Waiting;
import dev.uplift.store.DatabaseAway;
import dev.uplift.store.NewDecision;
import dev.uplift.store.RolloutRow;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Sees to it that every rollout that has not ended has a workflow: one whose start was lost gets
/// it, and so does one whose workflow somebody terminated, but paused.
public final class RolloutKeeper {
  private static final Logger LOG = LoggerFactory.getLogger(RolloutKeeper.class);
  private static final String TERMINATED = "uplift: its workflow was ended in Temporal";

  private final RolloutTables tables;
  private final RolloutStarter starter;

  RolloutKeeper(RolloutTables tables, RolloutStarter starter) {
    this.tables = tables;
    this.starter = starter;
  }

  /// Looks at each. What cannot be found out now is looked at the next time; any number of servers
  /// may do so at once.
  public void run() {
    try {
      tables.rollouts().open().forEach(this::attend);
    } catch (TemporalAway | DatabaseAway e) {
      LOG.debug("rollouts are looked at later", e);
    }
  }

  /// One that cannot be helped for a mistake of ours is in nobody's way.
  private void attend(RolloutRow row) {
    try {
      keep(row);
    } catch (TemporalAway | DatabaseAway e) {
      throw e;
    } catch (RuntimeException e) {
      LOG.error("rollout {} is looked at later", row.id(), e);
    }
  }

  private void keep(RolloutRow row) {
    switch (starter.find(row.id())) {
      case RUNNING -> {}
      case NONE -> starter.start(row);
      case ENDED -> pause(row).ifPresent(starter::startAgain);
    }
  }

  /// Empty if it has ended meanwhile, as those do whose workflow ends by itself.
  private Optional<RolloutRow> pause(RolloutRow row) {
    return tables
        .database()
        .together(() ->
            tables
                .rollouts()
                .lock(row.id())
                .filter(now -> now.endedAt().isEmpty())
                .map(now ->
                    RolloutTexts.steering(now.steering()).pausedBy().isEmpty()
                        ? paused(now)
                        : now));
  }

  private RolloutRow paused(RolloutRow row) {
    LOG.warn("rollout {} is paused: its workflow was ended in Temporal", row.id());
    Steering steering = RolloutTexts.steering(row.steering()).paused(TERMINATED);
    tables.rollouts().steer(row.id(), RolloutTexts.write(steering));
    tables
        .decisions()
        .append(
            row.id(),
            new NewDecision(
                row.currentWave(), "pause", "", TERMINATED, "", "uplift", Optional.empty()));
    return tables
        .rollouts()
        .stand(
            row.id(),
            RolloutState.PAUSED,
            Optional.of(Waiting.PAUSED),
            "paused by " + TERMINATED,
            Optional.empty());
  }
}
