package dev.uplift.cli.rest;

import dev.uplift.cli.text.TextFormat;
import dev.uplift.protocol.PrintableText;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/// Turns a refusal of the server into a line for a person: what is wrong and where, in the words of the command line,
/// and the option that helps if there is one.
final class ProblemText {
  /// `held: held by admin`: the code of a declined upgrade, for programs, before the sentence.
  private static final Pattern CODE =
      Pattern.compile(
          "^(held|stopped|pinned|failed-before|no-driver|downgrade|wrong-version|duplicate-host|before-unknown|moved-on)"
              + ": (?=.)");

  /// Fields of requests that a sentence of the server recommends: on the command line they are options.
  private static final Pattern RECOMMENDED_FIELD = Pattern.compile("\\bwith (wait_for_window|ignore_windows)\\b");

  private static final Pattern INDEX = Pattern.compile("/([0-9]+)(?=/|$)");

  /// Help by the code of a refusal.
  private static final Map<String, String> HINTS =
      Map.of(
          "downgrade", "--allow-downgrade permits it",
          "held", "`uplift device release DEVICE` ends a hold",
          "stopped", "`uplift stop --end` ends the stop");

  /// The end of a sentence about a pin that a person may override.
  private static final String OVERRIDABLE = "a person may override it";

  private ProblemText() {}

  static String of(int status, JsonNode problem) {
    String detail = problem.path("detail").asString("");
    List<JsonNode> errors = problem.path("errors").valueStream().toList();
    List<String> sentences = new ArrayList<>();
    // The detail often only repeats the errors.
    if (!detail.isEmpty() && !detail.equals(details(errors))) {
      sentences.add(withoutCode(detail));
    }
    errors.forEach(error -> sentences.add(describe(error)));
    if (sentences.isEmpty()) {
      sentences.add(problem.path("title").asString("the server answered " + status));
    }
    String text = RECOMMENDED_FIELD.matcher(String.join("; ", sentences)).replaceAll(ProblemText::option);
    String line = TextFormat.time(PrintableText.line(text).replaceAll("\\s+", " "));
    String hint = hint(status, detail);
    return hint.isEmpty() ? line : line + " (" + hint + ")";
  }

  private static String details(List<JsonNode> errors) {
    return errors.stream().map(error -> error.path("detail").asString("")).collect(Collectors.joining("; "));
  }

  private static String describe(JsonNode error) {
    String where =
        location(error.path("pointer").asString(""))
            + error.path("parameter").asString("")
            + error.path("header").asString("");
    String what = withoutCode(error.path("detail").asString(""));
    return where.isEmpty() ? what : where + ": " + what;
  }

  /// `/waves/0/max_parallel` is `waves[1].max_parallel`: people count from one.
  private static String location(String pointer) {
    String path = INDEX.matcher(pointer).replaceAll(number -> "[" + (Integer.parseInt(number.group(1)) + 1) + "]");
    return (path.startsWith("/") ? path.substring(1) : path).replace('/', '.');
  }

  private static String option(MatchResult field) {
    return "with --" + field.group(1).replace('_', '-');
  }

  private static String withoutCode(String sentence) {
    return CODE.matcher(sentence).replaceFirst("");
  }

  private static String hint(int status, String detail) {
    var code = CODE.matcher(detail);
    if (code.find() && HINTS.containsKey(code.group(1))) {
      return HINTS.getOrDefault(code.group(1), "");
    }
    if (detail.endsWith(OVERRIDABLE)) {
      return "with --override-pin";
    }
    return switch (status) {
      case 401 -> "the token comes from --token-file, UPLIFT_TOKEN_FILE or `uplift login`";
      case 412 -> "`show --json` has the version that --if-match expects";
      default -> "";
    };
  }
}
