package dev.uplift.cli.option;

import picocli.CommandLine.Option;

/// Selects rows of a list by an expression.
public final class FilterOption {
  @Option(
      names = "--filter",
      paramLabel = "EXPRESSION",
      defaultValue = "",
      description = "Only rows for which this is true, such as: labels.region == 'north' && hosts > 1.")
  public String expression = "";
}
