package dev.uplift.cli.bench;

import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/// What a bench found, for people and for programs.
interface Figures {
  ObjectNode json();

  List<String> lines();

  /// Whether everything ended as it has to end.
  boolean isAsWished();
}
