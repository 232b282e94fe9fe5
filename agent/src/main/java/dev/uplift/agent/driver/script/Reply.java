package dev.uplift.agent.driver.script;

import dev.uplift.agent.driver.session.Ending;
import dev.uplift.agent.driver.session.Ending.BrokenOff;
import dev.uplift.agent.driver.session.Ending.Exited;
import dev.uplift.agent.driver.session.Ending.Lost;
import dev.uplift.agent.driver.session.Ending.TimedOut;
import dev.uplift.protocol.ErrorClass;
import dev.uplift.protocol.Result;
import java.util.List;
import java.util.regex.Pattern;

/// What a program's ending and its output mean: the contract with whoever writes it.
final class Reply {
  private static final String FAILED = "script-failed";
  private static final Pattern CODE = Pattern.compile("code=([a-z0-9]+(?:-[a-z0-9]+){0,8})");
  private static final int LONGEST_CODE = 64;

  private Reply() {}

  static Result of(Verb verb, Ending ending, String output) {
    return switch (ending) {
      case Exited(int code) -> exited(verb, code, output);
      case BrokenOff() -> new Result.Cancelled();
      case TimedOut() -> failed("script-timeout", ErrorClass.FINAL, verb, ending, "");
      case Lost() -> failed("script-interrupted", ErrorClass.RETRYABLE, verb, ending, "");
    };
  }

  private static Result exited(Verb verb, int exit, String output) {
    String text = lastLine(output);
    return switch (exit) {
      case 0 -> new Result.Done();
      case 10 -> rebootRequired(verb, text);
      case 20 -> new Result.Failed(code(output), ErrorClass.RETRYABLE, text);
      case 21 -> new Result.Failed(code(output), ErrorClass.FINAL, text);
      case 22 -> new Result.Failed(code(output), ErrorClass.DECLINED, text);
      case 23 -> new Result.Failed(code(output), ErrorClass.NEEDS_PERSON, text);
      case 24 -> new Result.Failed("not-prepared", ErrorClass.FINAL, text);
      default -> failed(code(output), ErrorClass.FINAL, verb, new Exited(exit), text);
    };
  }

  /// No other verb may change what runs.
  private static Result rebootRequired(Verb verb, String text) {
    return verb == Verb.UPGRADE || verb == Verb.ROLLBACK
        ? new Result.RebootRequired()
        : failed(FAILED, ErrorClass.FINAL, verb, new Exited(10), text);
  }

  private static Result failed(
      String code, ErrorClass errorClass, Verb verb, Ending ending, String text) {
    String said = text.isEmpty() ? "" : ": " + text;
    return new Result.Failed(code, errorClass, "`" + verb.word() + "` " + ending.text() + said);
  }

  /// The last line that says something to people.
  private static String lastLine(String output) {
    return lines(output).stream()
        .filter(line -> !CODE.matcher(line).matches())
        .reduce("", (_, line) -> line);
  }

  /// What the last `code=…` line says.
  private static String code(String output) {
    return lines(output).stream()
        .map(CODE::matcher)
        .filter(line -> line.matches() && line.group(1).length() <= LONGEST_CODE)
        .map(line -> line.group(1))
        .reduce(FAILED, (_, code) -> code);
  }

  private static List<String> lines(String output) {
    return output.lines().map(String::strip).filter(line -> !line.isEmpty()).toList();
  }
}
