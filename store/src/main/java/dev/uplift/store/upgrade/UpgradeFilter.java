package dev.uplift.store.upgrade;

import dev.uplift.fleet.Outcome;
import java.util.Optional;

/// Which upgrades are wanted; what is empty does not matter.
///
/// @param device its name
public record UpgradeFilter(
    Optional<String> device,
    Optional<String> packageName,
    Optional<String> version,
    Optional<Outcome> outcome,
    Optional<Boolean> running) {
  public static final UpgradeFilter ALL =
      new UpgradeFilter(Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());
}
