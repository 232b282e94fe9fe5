package dev.uplift.cli;

import picocli.CommandLine.Option;

/// Which rows of a list are wanted.
final class FilterWish {
  @Option(
      names = "--filter",
      paramLabel = "EXPRESSION",
      defaultValue = "",
      description = "Only where this is true: labels.region == 'north' && hosts > 1.")
  String expression = "";
}
