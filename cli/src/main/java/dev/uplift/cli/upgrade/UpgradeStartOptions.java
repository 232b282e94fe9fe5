package dev.uplift.cli.upgrade;

import dev.uplift.cli.option.RequestFields;
import dev.uplift.cli.option.StepTimeoutOption;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.node.ObjectNode;

/// Options of an upgrade. The server chooses defaults for all others.
final class UpgradeStartOptions {
  @Option(
      names = "--rollback-scope",
      paramLabel = "SCOPE",
      description = "What a failure rolls back: none, host, or device (the default).")
  @Nullable String rollbackScope;

  @Option(
      names = "--not-after",
      paramLabel = "TIME",
      description = "Start no step after this time, such as 2026-12-24T18:00:00Z.")
  @Nullable String notAfter;

  @Option(names = "--allow-downgrade", description = "Also if a newer version runs, by the sequence of releases.")
  boolean allowDowngrade;

  @Option(
      names = "--soak",
      paramLabel = "SECONDS",
      description = "How long a host has to stay healthy before the next host is upgraded.")
  @Nullable Long soakSeconds;

  @Option(
      names = "--wait-for-window",
      description = "Outside of its windows: prepare now and wait for the next window.")
  boolean waitForWindow;

  @Option(names = "--ignore-windows", description = "Ignore maintenance windows; needs --reason.")
  boolean ignoreWindows;

  @Option(names = "--reason", paramLabel = "TEXT", description = "Why windows are ignored; is recorded.")
  @Nullable String reason;

  @Option(
      names = "--on-window-close",
      paramLabel = "ACTION",
      description = {
        "If its window closes during the upgrade: finish (the default),",
        "stop-before-next-host, or roll-back."
      })
  @Nullable String onClose;

  @Option(
      names = "--required-time",
      paramLabel = "SECONDS",
      description = "Time that must be left of the window at the start; default: 1800.")
  @Nullable Long requiredSeconds;

  @Option(names = "--require-approval", description = "Change nothing until another person has approved it.")
  boolean requireApproval;

  @Option(
      names = "--override-pin",
      description = "Also if the package is pinned to another version on the device, or held.")
  boolean overridePin;

  @Mixin StepTimeoutOption stepTimeouts = new StepTimeoutOption();

  void addTo(ObjectNode body) {
    var _ =
        new RequestFields(body)
            .put("wait_for_window", waitForWindow)
            .put("ignore_windows", ignoreWindows)
            .put("reason", reason)
            .put("on_close", onClose)
            .put("required_time_seconds", requiredSeconds)
            .put("require_approval", requireApproval)
            .put("override_pin", overridePin)
            .put("rollback_scope", rollbackScope)
            .put("not_after", notAfter)
            .put("allow_downgrade", allowDowngrade)
            .put("host_soak_seconds", soakSeconds);
    stepTimeouts.addTo(body);
  }
}
