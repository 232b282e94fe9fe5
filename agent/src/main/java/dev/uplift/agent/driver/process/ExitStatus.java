package dev.uplift.agent.driver.process;

/// The end of a program.
public sealed interface ExitStatus {
  /// By itself.
  record Exited(int code) implements ExitStatus {}

  /// It was ended because it took longer than it may.
  record TimedOut() implements ExitStatus {}

  /// It was ended because its command was cancelled.
  record Cancelled() implements ExitStatus {}

  /// It was killed from outside, and there is no exit code.
  record KilledExternally() implements ExitStatus {}

  default boolean isSuccess() {
    return equals(new Exited(0));
  }

  /// For people: "ended with 3".
  default String text() {
    return switch (this) {
      case Exited(int code) when code > 128 && code < 160 -> "was ended by signal %d".formatted(code - 128);
      case Exited(int code) -> "ended with " + code;
      case TimedOut() -> "took too long and was killed";
      case Cancelled() -> "was broken off";
      case KilledExternally() -> "was killed from outside";
    };
  }
}
