package dev.uplift.activities.temporal;

/// What came of steering an upgrade.
public sealed interface Steered {
  /// It was heard.
  ///
  /// @param sentence what it does now, or what was interrupted
  record Done(String sentence) implements Steered {}

  /// It does not do that now, and nothing has changed.
  ///
  /// @param why for people
  record Refused(String why) implements Steered {}

  /// It has ended, or never began.
  record Over() implements Steered {}
}
