package dev.uplift.temporaldev;

import java.util.List;
import java.util.Map;

/// What to run, and what it finds in its environment beyond the usual.
record Launch(List<String> command, Map<String, String> environment) {
  Launch(List<String> command) {
    this(command, Map.of());
  }
}
