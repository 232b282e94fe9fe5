package dev.uplift.temporaldev.stack;

import java.util.List;
import java.util.Map;

/// What to run, and what it finds in its environment beyond the usual.
record LaunchCommand(List<String> command, Map<String, String> environment) {
  LaunchCommand(List<String> command) {
    this(command, Map.of());
  }
}
