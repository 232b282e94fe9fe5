package dev.uplift.cli.option;

import dev.uplift.cli.rest.CliException;
import java.io.Console;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// Asks before something that cannot be taken back.
public final class ConfirmationOption {
  @Option(names = "--yes", description = "Does not ask.")
  boolean assumeYes;

  /// Returns if a person agrees, or agreed beforehand with `--yes`.
  ///
  /// @param what would be done, as a sentence
  public void confirm(String what) {
    if (assumeYes) {
      return;
    }
    Console console =
        Optional.ofNullable(System.console())
            .filter(Console::isTerminal)
            .orElseThrow(
                () -> CliException.usageError(what + ": needs --yes, for nobody is there to ask"));
    String said = console.readLine("%s. Go on? [y/N] ", what);
    if (!isYes(said)) {
      throw new CliException(CliException.FAILED, "nothing was done");
    }
  }

  /// The same, unless nothing is done.
  public void confirm(String what, DryRunOption dryRunOption) {
    if (!dryRunOption.enabled) {
      confirm(what);
    }
  }

  private static boolean isYes(@Nullable String said) {
    String word = said == null ? "" : said.strip().toLowerCase(Locale.ROOT);
    return word.equals("y") || word.equals("yes");
  }
}
