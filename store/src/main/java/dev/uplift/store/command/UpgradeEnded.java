package dev.uplift.store.command;

import dev.uplift.fleet.Outcome;

/// No command is created for an upgrade that has ended.
public final class UpgradeEnded extends RuntimeException {
  private static final long serialVersionUID = 1;

  UpgradeEnded(String upgrade, Outcome outcome) {
    super("upgrade %s has ended: %s".formatted(upgrade, outcome));
  }
}
