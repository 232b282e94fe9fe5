package dev.uplift.api.upgrades;

import dev.uplift.api.events.LastEvent;

/// An upgrade at one moment, as those who listen are told of it.
///
/// @param state JSON
/// @param mark tells this state from others; when a host last beat makes no other one
/// @param isOver whether it has ended
record UpgradeLook(String state, String mark, boolean isOver) {
  private static final String SINCE = "\"since\":\"[^\"]*\"";

  static UpgradeLook of(String state, boolean isOver) {
    return new UpgradeLook(state, LastEvent.mark(state.replaceAll(SINCE, "")), isOver);
  }
}
