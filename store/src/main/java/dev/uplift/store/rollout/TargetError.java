package dev.uplift.store.rollout;

import dev.uplift.store.upgrade.UpgradeEnd;

/// The first error of an upgrade, as in [UpgradeEnd.EndReason].
///
/// @param errorClass empty where it was no error
public record TargetError(String code, String errorClass, String text) {
  public static TargetError of(UpgradeEnd.EndReason endReason) {
    return new TargetError(endReason.code(), endReason.errorClass(), endReason.text());
  }
}
