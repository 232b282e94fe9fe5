package dev.uplift.api.upgrades;

import dev.uplift.api.events.LastEventId;

/// The state of an upgrade, as sent to subscribers.
///
/// @param json JSON
/// @param fingerprint identifies the state; does not depend on the times of heartbeats
/// @param isEnded whether it has ended
record UpgradeEventState(String json, String fingerprint, boolean isEnded) {
  private static final String SINCE = "\"since\":\"[^\"]*\"";

  static UpgradeEventState of(String state, boolean isOver) {
    return new UpgradeEventState(state, LastEventId.fingerprintOf(state.replaceAll(SINCE, "")), isOver);
  }
}
