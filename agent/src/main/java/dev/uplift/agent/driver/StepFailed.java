package dev.uplift.agent.driver;

import dev.uplift.protocol.CommandResult;
import dev.uplift.protocol.WireErrorClass;

/// Carries an answer out of the depth of a step. Never leaves a driver: its verbs return [#result()].
public final class StepFailed extends Exception {
  private static final long serialVersionUID = 1;

  private final transient CommandResult result;

  public StepFailed(CommandResult result) {
    super(describe(result), null, false, false);
    this.result = result;
  }

  private static String describe(CommandResult commandResult) {
    return commandResult instanceof CommandResult.Failed failed
        ? failed.code() + ": " + failed.text()
        : commandResult.toString();
  }

  /// Worth another try by itself.
  public static StepFailed retryable(String code, String text) {
    return new StepFailed(new CommandResult.Failed(code, WireErrorClass.RETRYABLE, text));
  }

  /// A retry would fail again.
  public static StepFailed fatal(String code, String text) {
    return new StepFailed(new CommandResult.Failed(code, WireErrorClass.FINAL, text));
  }

  public static StepFailed declined(String code, String text) {
    return new StepFailed(new CommandResult.Failed(code, WireErrorClass.DECLINED, text));
  }

  public static StepFailed needsPerson(String code, String text) {
    return new StepFailed(new CommandResult.Failed(code, WireErrorClass.NEEDS_PERSON, text));
  }

  public static StepFailed cancelled() {
    return new StepFailed(new CommandResult.Cancelled());
  }

  public boolean hasCode(String code) {
    return result instanceof CommandResult.Failed failed && failed.code().equals(code);
  }

  public CommandResult result() {
    return result;
  }
}
