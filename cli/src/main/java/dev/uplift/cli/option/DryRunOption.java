package dev.uplift.cli.option;

import picocli.CommandLine.Option;

/// Asks the server to check, to answer, and to do nothing.
public final class DryRunOption {
  @Option(
      names = "--dry-run",
      description = "The server checks it and says what would be; nothing is changed.")
  public boolean enabled;

  /// What was done, or would be.
  public String resultText(String done) {
    return enabled ? "checked; nothing was done" : done;
  }

  public String query() {
    return enabled ? "?validate=true" : "";
  }
}
