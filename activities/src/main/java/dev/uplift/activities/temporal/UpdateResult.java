package dev.uplift.activities.temporal;

/// The result of an action on an upgrade or a rollout.
public sealed interface UpdateResult {
  /// It was carried out.
  ///
  /// @param sentence what it does now, or what was interrupted
  record Completed(String sentence) implements UpdateResult {}

  /// It was refused, and nothing has changed.
  ///
  /// @param reason for people
  record Rejected(String reason) implements UpdateResult {}

  /// It has ended, or never began.
  record NotRunning() implements UpdateResult {}
}
