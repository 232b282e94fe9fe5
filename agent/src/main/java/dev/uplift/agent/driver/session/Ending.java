package dev.uplift.agent.driver.session;

/// How a program ended.
public sealed interface Ending {
  /// By itself.
  record Exited(int code) implements Ending {}

  /// It was told to end, since it took longer than it may.
  record TimedOut() implements Ending {}

  /// It was told to end, since nobody wants it any more.
  record BrokenOff() implements Ending {}

  /// Somebody else ended it, and there is no exit code.
  record Lost() implements Ending {}

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
      case BrokenOff() -> "was broken off";
      case Lost() -> "was killed by somebody";
    };
  }
}
