package dev.uplift.workflows.device;

/// A person who steers an upgrade.
///
/// @param why in their own words; may be empty
public record Operator(String name, String why) {
  String inWords() {
    return why.isEmpty() ? name : name + ": " + why;
  }
}
