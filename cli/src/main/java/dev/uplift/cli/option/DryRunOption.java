package dev.uplift.cli.option;

import picocli.CommandLine.Option;

/// Has the server validate the request without executing it.
public final class DryRunOption {
  @Option(names = "--dry-run", description = "Have the server validate the request; change nothing.")
  public boolean enabled;

  /// Returns `done`, or the text for a dry run.
  public String resultText(String done) {
    return enabled ? "valid; nothing was changed" : done;
  }

  public String query() {
    return enabled ? "?validate=true" : "";
  }
}
