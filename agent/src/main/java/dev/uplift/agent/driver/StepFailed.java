package dev.uplift.agent.driver;

import dev.uplift.protocol.ErrorClass;
import dev.uplift.protocol.Result;

/// Carries an answer out of the depth of a step. Never leaves a driver: its verbs return
/// [#result()].
public final class StepFailed extends Exception {
  private static final long serialVersionUID = 1;

  private final transient Result result;

  public StepFailed(Result result) {
    super(words(result), null, false, false);
    this.result = result;
  }

  private static String words(Result result) {
    return result instanceof Result.Failed failed
        ? failed.code() + ": " + failed.text()
        : result.toString();
  }

  /// Worth another try by itself.
  public static StepFailed retryable(String code, String text) {
    return new StepFailed(new Result.Failed(code, ErrorClass.RETRYABLE, text));
  }

  /// The same again would fail again.
  public static StepFailed fatal(String code, String text) {
    return new StepFailed(new Result.Failed(code, ErrorClass.FINAL, text));
  }

  public static StepFailed declined(String code, String text) {
    return new StepFailed(new Result.Failed(code, ErrorClass.DECLINED, text));
  }

  public static StepFailed needsPerson(String code, String text) {
    return new StepFailed(new Result.Failed(code, ErrorClass.NEEDS_PERSON, text));
  }

  public static StepFailed cancelled() {
    return new StepFailed(new Result.Cancelled());
  }

  public boolean hasCode(String code) {
    return result instanceof Result.Failed failed && failed.code().equals(code);
  }

  public Result result() {
    return result;
  }
}
