package dev.uplift.store.upgrade;

import dev.uplift.fleet.DeviceId;
import dev.uplift.fleet.Release;
import java.util.Optional;

/// An upgrade that begins.
///
/// @param id chosen by the caller, unique in the tenant
/// @param plan JSON; empty if there is nothing to keep
/// @param runId of its workflow in Temporal
/// @param revertOf the upgrade that it reverts; then `release` is what that one installed
public record NewUpgrade(
    String id,
    DeviceId device,
    Release release,
    String startedBy,
    String plan,
    String runId,
    Optional<String> revertOf) {
  public static final int MAX_ID_LENGTH = 200;

  /// One that takes nothing back.
  public NewUpgrade(String id, DeviceId device, Release release, String startedBy, String plan, String runId) {
    this(id, device, release, startedBy, plan, runId, Optional.empty());
  }

  public NewUpgrade {
    if (id.isEmpty() || id.length() > MAX_ID_LENGTH) {
      throw new IllegalArgumentException("an upgrade's id has 1 to " + MAX_ID_LENGTH + " characters");
    }
  }
}
