package dev.uplift.cli;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/// Describes an invalid command line: everything that a command needs at once, and what a misspelt word may have meant.
final class UsageErrors {
  private static final int MAX_SUGGESTIONS = 3;

  /// Words of other products, and the commands that are nearest to them.
  private static final Map<String, List<String>> OTHER_WORDS =
      Map.ofEntries(
          Map.entry("status", List.of("health", "doctor", "why")),
          Map.entry("ps", List.of("upgrade list", "rollout list")),
          Map.entry("list", List.of("device list", "host list", "rollout list")),
          Map.entry("devices", List.of("device list")),
          Map.entry("logs", List.of("upgrade log")),
          Map.entry("log", List.of("upgrade log")),
          Map.entry("deploy", List.of("upgrade start", "rollout create")),
          Map.entry("rollback", List.of("upgrade revert", "rollout roll-back")),
          Map.entry("join", List.of("enrol")));

  private UsageErrors() {}

  static String describe(ParameterException e) {
    String message = String.valueOf(e.getMessage());
    CommandSpec command = e.getCommandLine().getCommandSpec();
    return switch (e) {
      case MissingParameterException _ when command.requiredArgs().size() > 1 ->
          message
              + "; it needs "
              + command.requiredArgs().stream().map(UsageErrors::label).collect(Collectors.joining(", "));
      case UnmatchedArgumentException unmatched when !unmatched.getUnmatched().isEmpty() ->
          message + suggestions(e.getCommandLine(), unmatched.getUnmatched().getFirst());
      default -> message;
    };
  }

  private static String label(ArgSpec argument) {
    return argument instanceof OptionSpec option
        ? option.longestName() + "=" + argument.paramLabel()
        : argument.paramLabel();
  }

  private static String suggestions(CommandLine command, String word) {
    String written = word.replaceAll("=.*", "").toLowerCase(Locale.ROOT);
    Stream<String> known =
        written.startsWith("-")
            ? command.getCommandSpec().options().stream().flatMap(option -> Stream.of(option.names()))
            : command.getSubcommands().keySet().stream();
    List<String> near =
        known.filter(name -> name.length() > 2 && isNear(written, name)).sorted().limit(MAX_SUGGESTIONS).toList();
    List<String> meant = near.isEmpty() && command.getParent() == null ? OTHER_WORDS.getOrDefault(written, near) : near;
    return meant.isEmpty() ? "" : "; did you mean " + String.join(" or ", meant) + "?";
  }

  private static boolean isNear(String written, String name) {
    boolean isBeginning = written.length() > 3 && name.startsWith(written);
    return isBeginning || distance(written, name) <= Math.max(1, name.length() / 4);
  }

  /// Edits from one word to the other; two exchanged letters are one.
  private static int distance(String one, String other) {
    int[][] edits = new int[one.length() + 1][other.length() + 1];
    for (int i = 0; i <= one.length(); i++) {
      for (int j = 0; j <= other.length(); j++) {
        edits[i][j] = i == 0 || j == 0 ? i + j : fewest(edits, one, other, i, j);
      }
    }
    return edits[one.length()][other.length()];
  }

  private static int fewest(int[][] edits, String one, String other, int i, int j) {
    int replaced = edits[i - 1][j - 1] + (one.charAt(i - 1) == other.charAt(j - 1) ? 0 : 1);
    int fewest = Math.min(replaced, 1 + Math.min(edits[i - 1][j], edits[i][j - 1]));
    boolean isExchanged =
        i > 1 && j > 1 && one.charAt(i - 1) == other.charAt(j - 2) && one.charAt(i - 2) == other.charAt(j - 1);
    return isExchanged ? Math.min(fewest, edits[i - 2][j - 2] + 1) : fewest;
  }
}
