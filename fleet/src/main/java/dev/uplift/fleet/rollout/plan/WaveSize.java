package dev.uplift.fleet.rollout.plan;

import dev.uplift.fleet.rollout.Phrases;

/// Which of the devices that are in no wave yet a wave takes.
public sealed interface WaveSize {
  /// So many.
  record Count(int devices) implements WaveSize {}

  /// So many of a hundred of all devices of the rollout, rounded up.
  record Percent(int percent) implements WaveSize {}

  /// All that an expression is true of.
  record Matching(String expression) implements WaveSize {}

  /// One wave for each distinct value of a label, in the order of the values. Takes no device that has not got the
  /// label.
  record PerValue(String label) implements WaveSize {}

  /// All that are left.
  record Rest() implements WaveSize {}

  /// The size in words.
  default String describe() {
    return switch (this) {
      case Count(int devices) -> Phrases.devices(devices);
      case Percent(int percent) -> percent + " %";
      case Matching(String expression) -> expression;
      case PerValue(String label) -> "each " + label;
      case Rest() -> "the rest";
    };
  }

  /// The field of the API that says so.
  default String fieldName() {
    return switch (this) {
      case Count _ -> "count";
      case Percent _ -> "percent";
      case Matching _ -> "expression";
      case PerValue _ -> "each_value_of";
      case Rest _ -> "rest";
    };
  }
}
