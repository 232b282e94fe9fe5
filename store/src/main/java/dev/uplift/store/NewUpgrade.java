package dev.uplift.store;

import dev.uplift.fleet.DeviceId;
import dev.uplift.fleet.Release;

/// An upgrade that begins.
///
/// @param id chosen by the caller, unique in the tenant
/// @param plan JSON; empty if there is nothing to keep
/// @param run of its workflow in Temporal
public record NewUpgrade(
    String id, DeviceId device, Release release, String startedBy, String plan, String run) {
  public static final int LONGEST_ID = 200;

  public NewUpgrade {
    if (id.isEmpty() || id.length() > LONGEST_ID) {
      throw new IllegalArgumentException("an upgrade's id has 1 to " + LONGEST_ID + " characters");
    }
  }
}
