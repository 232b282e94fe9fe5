package dev.uplift.cli.option;

import picocli.CommandLine.Option;

/// Which rows of a list are wanted.
public final class FilterOption {
  @Option(
      names = "--filter",
      paramLabel = "EXPRESSION",
      defaultValue = "",
      description = "Only where this is true: labels.region == 'north' && hosts > 1.")
  public String expression = "";
}
