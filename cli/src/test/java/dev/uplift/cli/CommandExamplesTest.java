package dev.uplift.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/// Every command shows how it is typed, and what it shows can be typed.
class CommandExamplesTest {
  private static final Pattern WORD = Pattern.compile("'([^']*)'|\"([^\"]*)\"|(\\S+)");

  private static List<CommandLine> commands() {
    List<CommandLine> all = new ArrayList<>(List.of(Main.commandLine()));
    for (int i = 0; i < all.size(); i++) {
      all.addAll(all.get(i).getSubcommands().values().stream().distinct().toList());
    }
    return all.stream().filter(command -> command.getSubcommands().isEmpty()).toList();
  }

  @Test
  void everyCommandHasAnExample() {
    assertThat(commands())
        .allSatisfy(command ->
            assertThat(command.getUsageMessage())
                .as(command.getCommandSpec().qualifiedName())
                .containsPattern("Examples?:\\R\\s+" + command.getCommandSpec().qualifiedName()));
  }

  @Test
  void everyExampleCanBeTyped() {
    assertThat(CommandExamples.read().stream().flatMap(line -> error(line).stream())).isEmpty();
  }

  private static Optional<String> error(String line) {
    try {
      Main.commandLine().parseArgs(words(line));
      return Optional.empty();
    } catch (ParameterException e) {
      return Optional.of(line + ": " + e.getMessage());
    }
  }

  private static String[] words(String line) {
    return WORD.matcher(line).results().map(CommandExamplesTest::word).toArray(String[]::new);
  }

  private static String word(MatchResult word) {
    for (int group = 1; group <= 3; group++) {
      if (word.group(group) != null) {
        return word.group(group);
      }
    }
    throw new AssertionError();
  }
}
