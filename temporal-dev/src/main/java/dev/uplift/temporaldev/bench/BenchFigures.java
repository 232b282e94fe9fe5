package dev.uplift.temporaldev.bench;

import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/// The result of a bench, for people and programs.
interface BenchFigures {
  ObjectNode toJson();

  List<String> lines();

  /// Returns whether everything ended as expected.
  boolean isSuccessful();
}
