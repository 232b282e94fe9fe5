package dev.uplift.activities.host;

import dev.uplift.fleet.Outcome;

/// The records say that the upgrade has ended, so nothing new is sent for it: whoever asks is a run
/// that was reset, or that outlived being given up.
final class UpgradeAlreadyEnded extends RuntimeException {
  private static final long serialVersionUID = 1;

  UpgradeAlreadyEnded(String upgrade, Outcome outcome) {
    super("upgrade " + upgrade + " has ended: " + outcome);
  }
}
