package dev.uplift.services.diagnosis;

/// A single finding.
///
/// @param part of the installation, such as `nats`
/// @param text what was found, in a sentence without a full stop
/// @param advice what to do, in a line; empty if there is nothing to do
public record DiagnosisFinding(String part, Severity severity, String text, String advice) {
  /// How bad it is, the worst last.
  public enum Severity {
    OK,
    /// Something works less well, or will stop to work.
    WARNING,
    /// Something does not work.
    CRITICAL
  }

  public static DiagnosisFinding ok(String part, String text) {
    return new DiagnosisFinding(part, Severity.OK, text, "");
  }

  public static DiagnosisFinding warning(String part, String text, String advice) {
    return new DiagnosisFinding(part, Severity.WARNING, text, advice);
  }

  public static DiagnosisFinding critical(String part, String text, String advice) {
    return new DiagnosisFinding(part, Severity.CRITICAL, text, advice);
  }
}
