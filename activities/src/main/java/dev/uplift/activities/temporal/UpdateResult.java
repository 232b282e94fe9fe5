package dev.uplift.activities.temporal;

/// What came of steering an upgrade.
public sealed interface UpdateResult {
  /// It was heard.
  ///
  /// @param sentence what it does now, or what was interrupted
  record Completed(String sentence) implements UpdateResult {}

  /// It does not do that now, and nothing has changed.
  ///
  /// @param reason for people
  record Rejected(String reason) implements UpdateResult {}

  /// It has ended, or never began.
  record NotRunning() implements UpdateResult {}
}
