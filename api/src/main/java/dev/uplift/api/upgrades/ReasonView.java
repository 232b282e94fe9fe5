package dev.uplift.api.upgrades;

import dev.uplift.api.json.ValueReaders;
import dev.uplift.fleet.Reason;
import dev.uplift.store.upgrade.UpgradeEnd;
import io.micronaut.serde.annotation.Serdeable;

/// Why something was stopped.
///
/// @param kind `error`, `declined`, `deadline`, `abort`
/// @param code for programs
/// @param message for people
@Serdeable
record ReasonView(String kind, String code, String message) {
  static ReasonView of(Reason reason) {
    return new ReasonView(ValueReaders.enumWord(reason.kind()), reason.code(), reason.message());
  }

  static ReasonView of(UpgradeEnd.EndReason endReason) {
    return new ReasonView(endReason.kind(), endReason.code(), endReason.text());
  }
}
