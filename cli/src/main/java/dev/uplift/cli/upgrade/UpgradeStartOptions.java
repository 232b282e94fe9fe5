package dev.uplift.cli.upgrade;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import tools.jackson.databind.node.ObjectNode;

/// How an upgrade is to be done; what is not said the server decides.
final class UpgradeStartOptions {
  @Option(
      names = "--reach",
      paramLabel = "REACH",
      description = "What a failure takes back: none, host, or device (the default).")
  @Nullable String rollbackScope;

  @Option(
      names = "--not-after",
      paramLabel = "TIME",
      description = "Nothing is begun past this time, such as 2026-12-24T18:00:00Z.")
  @Nullable String notAfter;

  @Option(
      names = "--allow-downgrade",
      description = "Also where something newer runs, by the release's sequence.")
  boolean allowDowngrade;

  @Option(
      names = "--soak",
      paramLabel = "SECONDS",
      description = "For how long a host has to stay well before the next one's turn.")
  @Nullable Long soakSeconds;

  @Option(
      names = "--wait",
      description = "Outside its windows: prepares, and waits for the next one.")
  boolean waitForWindow;

  @Option(names = "--force", description = "Ignores maintenance windows; needs --reason.")
  boolean force;

  @Option(names = "--reason", paramLabel = "TEXT", description = "Why they are ignored; is kept.")
  @Nullable String reason;

  @Option(
      names = "--on-close",
      paramLabel = "WHAT",
      description = {
        "If its window closes while it is in work: finish (the default),",
        "stop-before-next-host, or roll-back."
      })
  @Nullable String onClose;

  @Option(
      names = "--takes",
      paramLabel = "SECONDS",
      description = "How much of a window has to be left at its start; default: 1800.")
  @Nullable Long minSecondsLeft;

  @Option(names = "--approval", description = "Touches nothing before another person has approved.")
  boolean requireApproval;

  void addTo(ObjectNode body) {
    addWindowsTo(body);
    if (requireApproval) {
      body.put("approval", true);
    }
    if (rollbackScope != null) {
      body.put("reach", rollbackScope);
    }
    if (notAfter != null) {
      body.put("not_after", notAfter);
    }
    if (allowDowngrade) {
      body.put("allow_downgrade", true);
    }
    if (soakSeconds != null) {
      body.put("soak_s", soakSeconds);
    }
  }

  private void addWindowsTo(ObjectNode body) {
    if (waitForWindow) {
      body.put("wait", true);
    }
    if (force) {
      body.put("force", true);
    }
    if (reason != null) {
      body.put("reason", reason);
    }
    if (onClose != null) {
      body.put("on_close", onClose);
    }
    if (minSecondsLeft != null) {
      body.put("takes_s", minSecondsLeft);
    }
  }
}
