package dev.uplift.activities.rollout;

import dev.uplift.fleet.rollout.Fault;
import dev.uplift.store.RolloutRow;
import java.util.List;

/// What became of a wish for a rollout.
public sealed interface Planned {
  /// It could be; nothing is stored.
  record Possible(Preview preview) implements Planned {}

  /// It is in the records now. Unless it is a draft, its workflow is to be started.
  record Created(RolloutRow row) implements Planned {}

  /// There is one with this id already. Whether it is what was wished for, the caller compares.
  record Exists(RolloutRow row) implements Planned {}

  /// There is no draft with this id.
  record NoDraft() implements Planned {}

  /// Something is wrong with it; nothing is stored.
  ///
  /// @param faults JSON pointer and detail each
  record Refused(List<Fault> faults) implements Planned {
    public Refused {
      faults = List.copyOf(faults);
    }
  }
}
