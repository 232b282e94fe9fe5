package dev.uplift.cli.rollout;

import dev.uplift.cli.option.RequestFields;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

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

  void addTo(RequestFields body) {
    body.put("window", "mode", ignoreReason == null ? null : "ignore")
        .put("window", "reason", ignoreReason)
        .put("window", "required_time_seconds", requiredSeconds)
        .put("window", "on_close", onClose)
        .put("window", "prepare_ahead_seconds", prepareAhead);
  }
}
