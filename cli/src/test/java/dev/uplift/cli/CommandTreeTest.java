package dev.uplift.cli;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class CommandTreeTest {
  @Test
  void theHelpOfEveryCommandIsTheSameAsIfAllWereBuilt() {
    List<CommandLine> all = new ArrayList<>(List.of(Main.commandLine()));
    for (int i = 0; i < all.size(); i++) {
      all.addAll(all.get(i).getSubcommands().values());
    }
    assertThat(all)
        .allSatisfy(
            command -> assertThat(buildFor(path(command)).getUsageMessage()).isEqualTo(command.getUsageMessage()));
  }

  @Test
  void commandsThatAreNotNamedHaveNoOptions() {
    CommandLine main = Main.commandLine(CommandTree.of("device", "list"));

    assertThat(find(main, "device", "list").getCommandSpec().findOption("--label")).isNotNull();
    assertThat(find(main, "device", "put").getCommandSpec().findOption("--csv")).isNull();
    assertThat(find(main, "release").getSubcommands()).isEmpty();
  }

  @Test
  void anAliasNamesItsCommand() {
    assertThat(buildFor(List.of("enroll")).getCommandSpec().findOption("--tenant")).isNotNull();
  }

  @Test
  void whenArgumentsAreInAFileAnyCommandMayBeNamedThere() {
    CommandLine main = Main.commandLine(CommandTree.of("@arguments"));

    assertThat(find(main, "release").getSubcommands()).isNotEmpty();
  }

  private static CommandLine buildFor(List<String> path) {
    String[] words = path.toArray(String[]::new);
    return find(Main.commandLine(CommandTree.of(words)), words);
  }

  private static CommandLine find(CommandLine program, String... path) {
    CommandLine found = program;
    for (String name : path) {
      found = requireNonNull(found.getSubcommands().get(name), name);
    }
    return found;
  }

  private static List<String> path(CommandLine command) {
    String[] words = command.getCommandSpec().qualifiedName().split(" ");
    return List.of(words).subList(1, words.length);
  }
}
