package dev.uplift.cli.rollout;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import tools.jackson.databind.node.ObjectNode;

/// What a rollout makes of the maintenance windows of its devices.
final class RolloutWindowOptions {
  @Option(
      names = "--force",
      paramLabel = "REASON",
      description = "Ignores maintenance windows; the reason is kept.")
  @Nullable String forceReason;

  @Option(
      names = "--takes",
      paramLabel = "SECONDS",
      description = "What has to be left of a window for a device to start; default: 1800.")
  @Nullable Long minSecondsLeft;

  @Option(
      names = "--on-close",
      paramLabel = "WORD",
      description =
          "When a window closes on a device in work: finish, stop-before-next-host, roll-back.")
  @Nullable String onClose;

  @Option(
      names = "--prepare-ahead",
      paramLabel = "SECONDS",
      description = "How long before its window a device may prepare.")
  @Nullable Long prepareAhead;

  void addTo(ObjectNode body) {
    if (forceReason != null) {
      body.withObjectProperty("window").put("rule", "force").put("reason", forceReason);
    }
    if (minSecondsLeft != null) {
      body.withObjectProperty("window").put("takes_s", minSecondsLeft);
    }
    if (onClose != null) {
      body.withObjectProperty("window").put("on_close", onClose);
    }
    if (prepareAhead != null) {
      body.withObjectProperty("window").put("prepare_ahead_s", prepareAhead);
    }
  }
}
