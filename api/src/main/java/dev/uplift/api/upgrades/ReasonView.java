package dev.uplift.api.upgrades;

import dev.uplift.api.json.Shapes;
import dev.uplift.fleet.Reason;
import dev.uplift.store.UpgradeEnd;
import io.micronaut.serde.annotation.Serdeable;

/// Why something did not go on.
///
/// @param kind `error`, `declined`, `deadline`, `abort`
/// @param code for programs
/// @param text for people
@Serdeable
record ReasonView(String kind, String code, String text) {
  static ReasonView of(Reason reason) {
    return new ReasonView(Shapes.word(reason.kind()), reason.code(), reason.text());
  }

  static ReasonView of(UpgradeEnd.Why why) {
    return new ReasonView(why.kind(), why.code(), why.text());
  }
}
