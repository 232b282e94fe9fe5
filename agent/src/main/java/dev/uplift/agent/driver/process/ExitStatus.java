package dev.uplift.agent.driver.process;

/// How a program ended.
public sealed interface ExitStatus {
  /// By itself.
  record Exited(int code) implements ExitStatus {}

  /// It was told to end, since it took longer than it may.
  record TimedOut() implements ExitStatus {}

  /// It was told to end, since nobody wants it any more.
  record Cancelled() implements ExitStatus {}

  /// Somebody else ended it, and there is no exit code.
  record KilledExternally() implements ExitStatus {}

  default boolean isSuccess() {
    return equals(new Exited(0));
  }

  /// For people: "ended with 3".
  default String text() {
    return switch (this) {
      case Exited(int code) when code > 128 && code < 160 ->
          "was ended by signal %d".formatted(code - 128);
      case Exited(int code) -> "ended with " + code;
      case TimedOut() -> "took too long and was killed";
      case Cancelled() -> "was broken off";
      case KilledExternally() -> "was killed by somebody";
    };
  }
}
