package dev.uplift.temporaldev.stack;

import java.util.List;
import java.util.Map;

/// A command and its additional environment variables.
record LaunchCommand(List<String> command, Map<String, String> environment) {
  LaunchCommand(List<String> command) {
    this(command, Map.of());
  }
}
