package dev.uplift.store.rollout;

import dev.uplift.fleet.RolloutId;
import dev.uplift.fleet.rollout.TargetState;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.jdbi.v3.core.Handle;

/// Lets devices take part in a rollout that runs, within one transaction.
final class TargetInsertion {
  private final Handle handle;
  private final RolloutId id;

  TargetInsertion(Handle handle, RolloutId id) {
    this.handle = handle;
    this.id = id;
  }

  int insert(int wave, Collection<String> devices) {
    var rollouts = new RolloutStatements(handle);
    RolloutRow rollout = rollouts.lockExisting(id);
    var targets = new TargetStatements(handle, id);
    List<String> fresh = new ArrayList<>();
    int again = 0;
    for (String device : devices) {
      Optional<TargetRow> found = targets.find(device);
      if (found.isEmpty()) {
        fresh.add(device);
      } else if (targets.transition(device, TargetState.SKIPPED, TargetState.PENDING, "")) {
        again++;
      }
    }
    rollouts.insertTargets(rollout.id(), wave, nextPosition(wave), fresh);
    RolloutStatements.bind(
            handle.createUpdate(
                """
                UPDATE rollout_wave SET size = size + :more
                WHERE tenant = :tenant AND rollout = :rollout AND number = :wave\
                """),
            id)
        .bind("more", fresh.size())
        .bind("wave", wave)
        .execute();
    return fresh.size() + again;
  }

  private long nextPosition(int wave) {
    return RolloutStatements.bind(
            handle.createQuery(
                """
                SELECT COALESCE(MAX(position) + 1, 0) FROM rollout_target
                WHERE tenant = :tenant AND rollout = :rollout AND wave = :wave\
                """),
            id)
        .bind("wave", wave)
        .mapTo(Long.class)
        .one();
  }
}
