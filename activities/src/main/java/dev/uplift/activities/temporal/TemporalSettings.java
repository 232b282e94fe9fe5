package dev.uplift.activities.temporal;

/// The address of Temporal.
///
/// @param target host and port
/// @param uiUrl base of links into Temporal Web UI; empty if there is none
public record TemporalSettings(String target, String namespace, String uiUrl) {
  /// Without links.
  public TemporalSettings(String target, String namespace) {
    this(target, namespace, "");
  }
}
