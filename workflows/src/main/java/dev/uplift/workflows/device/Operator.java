package dev.uplift.workflows.device;

/// A person who steers an upgrade.
///
/// @param reason in their own words; may be empty
public record Operator(String name, String reason) {
  public String describe() {
    return reason.isEmpty() ? name : name + ": " + reason;
  }
}
