package dev.uplift.cli;

import picocli.CommandLine.Option;

/// Asks the server to check, to answer, and to do nothing.
final class DryRun {
  @Option(
      names = "--dry-run",
      description = "The server checks it and says what would be; nothing is changed.")
  boolean only;

  /// What was done, or would be.
  String said(String done) {
    return only ? "checked; nothing was done" : done;
  }

  String query() {
    return only ? "?validate=true" : "";
  }
}
