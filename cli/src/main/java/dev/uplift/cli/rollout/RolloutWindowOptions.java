package dev.uplift.cli.rollout;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import tools.jackson.databind.node.ObjectNode;

/// How a rollout observes the maintenance windows of its devices.
final class RolloutWindowOptions {
  @Option(
      names = "--ignore-windows",
      paramLabel = "REASON",
      description = "Ignore maintenance windows; the reason is recorded.")
  @Nullable String ignoreReason;

  @Option(
      names = "--required-time",
      paramLabel = "SECONDS",
      description = "Time that must be left of a window for a device to start; default: 1800.")
  @Nullable Long requiredSeconds;

  @Option(
      names = "--on-window-close",
      paramLabel = "ACTION",
      description =
          "If a window closes during an upgrade: finish, stop-before-next-host, roll-back.")
  @Nullable String onClose;

  @Option(
      names = "--prepare-ahead",
      paramLabel = "SECONDS",
      description = "How long before its window a device may prepare.")
  @Nullable Long prepareAhead;

  void addTo(ObjectNode body) {
    if (ignoreReason != null) {
      body.withObjectProperty("window").put("mode", "ignore").put("reason", ignoreReason);
    }
    if (requiredSeconds != null) {
      body.withObjectProperty("window").put("required_time_seconds", requiredSeconds);
    }
    if (onClose != null) {
      body.withObjectProperty("window").put("on_close", onClose);
    }
    if (prepareAhead != null) {
      body.withObjectProperty("window").put("prepare_ahead_seconds", prepareAhead);
    }
  }
}
