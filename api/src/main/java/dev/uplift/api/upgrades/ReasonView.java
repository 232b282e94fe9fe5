package dev.uplift.api.upgrades;

import dev.uplift.api.json.ValueReaders;
import dev.uplift.fleet.Reason;
import dev.uplift.store.upgrade.UpgradeEnd;
import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;

/// Why something was stopped.
///
/// @param kind what stopped it
/// @param code for programs
/// @param message for people
@Serdeable
record ReasonView(@Schema(implementation = Reason.Kind.class) String kind, String code, String message) {
  static ReasonView of(Reason reason) {
    return new ReasonView(ValueReaders.enumWord(reason.kind()), reason.code(), reason.message());
  }

  static ReasonView of(UpgradeEnd.EndReason endReason) {
    return new ReasonView(endReason.kind(), endReason.code(), endReason.text());
  }
}
