package dev.uplift.agent.driver.script;

import dev.uplift.agent.driver.process.ExitStatus;
import dev.uplift.agent.driver.process.ExitStatus.Cancelled;
import dev.uplift.agent.driver.process.ExitStatus.Exited;
import dev.uplift.agent.driver.process.ExitStatus.KilledExternally;
import dev.uplift.agent.driver.process.ExitStatus.TimedOut;
import dev.uplift.protocol.CommandResult;
import dev.uplift.protocol.WireErrorClass;
import java.util.List;
import java.util.regex.Pattern;

/// Interprets the exit code and output of a program: the contract with its author.
final class ScriptResultParser {
  private static final String DEFAULT_CODE = "script-failed";
  private static final Pattern CODE = Pattern.compile("code=([a-z0-9]+(?:-[a-z0-9]+){0,8})");
  private static final int MAX_CODE = 64;

  private ScriptResultParser() {}

  static CommandResult parse(Verb verb, ExitStatus exitStatus, String output) {
    return switch (exitStatus) {
      case Exited(int code) -> parseExited(verb, code, output);
      case Cancelled() -> new CommandResult.Cancelled();
      case TimedOut() -> failed("script-timeout", WireErrorClass.FINAL, verb, exitStatus, "");
      case KilledExternally() -> failed("script-interrupted", WireErrorClass.RETRYABLE, verb, exitStatus, "");
    };
  }

  private static CommandResult parseExited(Verb verb, int exit, String output) {
    String text = lastLine(output);
    return switch (exit) {
      case 0 -> new CommandResult.Done();
      case 10 -> rebootRequired(verb, text);
      case 20 -> new CommandResult.Failed(code(output), WireErrorClass.RETRYABLE, text);
      case 21 -> new CommandResult.Failed(code(output), WireErrorClass.FINAL, text);
      case 22 -> new CommandResult.Failed(code(output), WireErrorClass.DECLINED, text);
      case 23 -> new CommandResult.Failed(code(output), WireErrorClass.NEEDS_PERSON, text);
      case 24 -> new CommandResult.Failed("not-prepared", WireErrorClass.FINAL, text);
      default -> failed(code(output), WireErrorClass.FINAL, verb, new Exited(exit), text);
    };
  }

  /// No other verb may change what runs.
  private static CommandResult rebootRequired(Verb verb, String text) {
    return verb == Verb.UPGRADE || verb == Verb.ROLLBACK
        ? new CommandResult.RebootRequired()
        : failed(DEFAULT_CODE, WireErrorClass.FINAL, verb, new Exited(10), text);
  }

  private static CommandResult failed(
      String code, WireErrorClass wireErrorClass, Verb verb, ExitStatus exitStatus, String text) {
    String said = text.isEmpty() ? "" : ": " + text;
    return new CommandResult.Failed(code, wireErrorClass, "`" + verb.scriptName() + "` " + exitStatus.text() + said);
  }

  /// The last line that says something to people.
  private static String lastLine(String output) {
    return lines(output).stream().filter(line -> !CODE.matcher(line).matches()).reduce("", (_, line) -> line);
  }

  /// The word of the last `code=…` line.
  private static String code(String output) {
    return lines(output).stream()
        .map(CODE::matcher)
        .filter(line -> line.matches() && line.group(1).length() <= MAX_CODE)
        .map(line -> line.group(1))
        .reduce(DEFAULT_CODE, (_, code) -> code);
  }

  private static List<String> lines(String output) {
    return output.lines().map(String::strip).filter(line -> !line.isEmpty()).toList();
  }
}
