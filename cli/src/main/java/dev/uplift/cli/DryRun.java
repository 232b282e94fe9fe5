package dev.uplift.cli;

import picocli.CommandLine.Option;

/// Asks the server to check, to answer, and to do nothing.
final class DryRun {
  @Option(
      names = "--dry-run",
      description = "The server checks it and says what would be; nothing is changed.")
  boolean only;

  String query() {
    return only ? "?validate=true" : "";
  }
}
