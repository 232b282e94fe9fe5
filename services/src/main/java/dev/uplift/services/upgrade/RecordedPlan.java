package dev.uplift.services.upgrade;

import dev.uplift.fleet.HostId;
import dev.uplift.fleet.RollbackScope;
import dev.uplift.fleet.StepTimeouts;
import dev.uplift.fleet.rollout.plan.WindowRule.OnClose;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import tools.jackson.core.JacksonException;

/// The plan of an upgrade, as far as it is read again: JSON of the table's own, so that rows and workflow histories may
/// change independently of each other.
///
/// @param hosts in the order in which they are upgraded
/// @param approvalAuthor who cannot approve it; empty where no approval is required
/// @param onClose what happens if its window closes; empty where it is not bound to windows
/// @param rollout the rollout that it is part of
/// @param stepTimeouts in force
/// @param requestDigest of the request that started it, with all its options; empty if there was none
public record RecordedPlan(
    List<HostId> hosts,
    RollbackScope rollbackScope,
    boolean allowDowngrade,
    Instant notAfter,
    Optional<String> approvalAuthor,
    Optional<OnClose> onClose,
    Optional<String> rollout,
    StepTimeouts stepTimeouts,
    Optional<String> requestDigest) {

  public RecordedPlan {
    // There were rows without them.
    stepTimeouts = stepTimeouts == null ? StepTimeouts.NONE : stepTimeouts;
  }

  public String write() {
    return ColumnJson.MAPPER.writeValueAsString(this);
  }

  /// Returns empty if it was not written by [#write].
  public static Optional<RecordedPlan> read(String json) {
    try {
      return Optional.of(ColumnJson.MAPPER.readValue(json, RecordedPlan.class)).filter(plan -> plan.hosts != null);
    } catch (JacksonException _) {
      return Optional.empty();
    }
  }

  public boolean isBoundToWindows() {
    return onClose.isPresent();
  }
}
