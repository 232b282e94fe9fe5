package dev.uplift.store;

/// What stopped an upgrade first, as [UpgradeEnd.Why] says it.
///
/// @param errorClass empty where it was no error
public record TargetError(String code, String errorClass, String text) {
  public static TargetError of(UpgradeEnd.Why why) {
    return new TargetError(why.code(), why.errorClass(), why.text());
  }
}
