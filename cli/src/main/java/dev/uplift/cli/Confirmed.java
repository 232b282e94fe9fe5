package dev.uplift.cli;

import dev.uplift.cli.rest.CommandFailed;
import java.io.Console;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// Asks before something that cannot be taken back.
final class Confirmed {
  @Option(names = "--yes", description = "Does not ask.")
  boolean yes;

  /// Returns if a person agrees, or agreed beforehand with `--yes`.
  ///
  /// @param what would be done, as a sentence
  void ask(String what) {
    if (yes) {
      return;
    }
    Console console =
        Optional.ofNullable(System.console())
            .filter(Console::isTerminal)
            .orElseThrow(
                () -> CommandFailed.usage(what + ": needs --yes, for nobody is there to ask"));
    String said = console.readLine("%s. Go on? [y/N] ", what);
    if (!isYes(said)) {
      throw new CommandFailed(CommandFailed.REFUSED, "nothing was done");
    }
  }

  /// The same, unless nothing is done.
  void ask(String what, DryRun dryRun) {
    if (!dryRun.only) {
      ask(what);
    }
  }

  private static boolean isYes(@Nullable String said) {
    String word = said == null ? "" : said.strip().toLowerCase(Locale.ROOT);
    return word.equals("y") || word.equals("yes");
  }
}
