package dev.uplift.cli;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import tools.jackson.databind.node.ObjectNode;

/// How an upgrade is to be done; what is not said the server decides.
final class UpgradeWishes {
  @Option(
      names = "--reach",
      paramLabel = "REACH",
      description = "What a failure takes back: none, host, or device (the default).")
  @Nullable String reach;

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

  void addTo(ObjectNode body) {
    if (reach != null) {
      body.put("reach", reach);
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
}
