package dev.uplift.api.upgrades;

import dev.uplift.api.events.LastEventId;

/// An upgrade at one moment, as those who listen are told of it.
///
/// @param json JSON
/// @param fingerprint tells this state from others; when a host last beat makes no other one
/// @param isEnded whether it has ended
record UpgradeEventState(String json, String fingerprint, boolean isEnded) {
  private static final String SINCE = "\"since\":\"[^\"]*\"";

  static UpgradeEventState of(String state, boolean isOver) {
    return new UpgradeEventState(
        state, LastEventId.fingerprintOf(state.replaceAll(SINCE, "")), isOver);
  }
}
