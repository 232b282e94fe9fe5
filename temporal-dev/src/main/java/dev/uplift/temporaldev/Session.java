package dev.uplift.temporaldev;

import java.util.List;

/// Starts a process in a session of its own, so that Ctrl-C in the terminal reaches only us and we
/// end the others in order. Where `setsid` is absent they share ours, and are ended all the same.
final class Session {
  private static final List<String> PREFIX =
      Commands.onPath("setsid").map(setsid -> List.of(setsid.toString())).orElse(List.of());

  private Session() {}

  static List<String> prefix() {
    return PREFIX;
  }
}
