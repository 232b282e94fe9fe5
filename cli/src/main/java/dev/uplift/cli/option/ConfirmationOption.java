package dev.uplift.cli.option;

import dev.uplift.cli.rest.CliException;
import java.io.Console;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// Asks for confirmation before something that cannot be undone.
public final class ConfirmationOption {
  @Option(names = "--yes", description = "Do not ask for confirmation.")
  boolean assumeYes;

  /// Returns if a person confirms, or `--yes` was given.
  ///
  /// @param effect a sentence about the effect of the command
  public void confirm(String effect) {
    if (assumeYes) {
      return;
    }
    Console console =
        Optional.ofNullable(System.console())
            .filter(Console::isTerminal)
            .orElseThrow(
                () -> CliException.usageError(effect + ": needs --yes, because there is no terminal to ask at"));
    String answer = console.readLine("%s. Continue? [y/N] ", effect);
    if (!isYes(answer)) {
      throw new CliException(CliException.FAILED, "nothing was done");
    }
  }

  /// As above, but not for a dry run, which changes nothing.
  public void confirm(String effect, DryRunOption dryRunOption) {
    if (!dryRunOption.enabled) {
      confirm(effect);
    }
  }

  private static boolean isYes(@Nullable String answer) {
    String word = answer == null ? "" : answer.strip().toLowerCase(Locale.ROOT);
    return word.equals("y") || word.equals("yes");
  }
}
