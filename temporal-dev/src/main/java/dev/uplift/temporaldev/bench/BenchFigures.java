package dev.uplift.temporaldev.bench;

import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/// What a bench found, for people and for programs.
interface BenchFigures {
  ObjectNode toJson();

  List<String> lines();

  /// Whether everything ended as it has to end.
  boolean isSuccessful();
}
