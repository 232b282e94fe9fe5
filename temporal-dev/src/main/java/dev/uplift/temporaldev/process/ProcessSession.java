package dev.uplift.temporaldev.process;

import java.util.List;

/// Starts a process in a session of its own, so that Ctrl-C in the terminal reaches only us and we
/// end the others in order. Where `setsid` is absent they share ours, and are ended all the same.
public final class ProcessSession {
  private static final List<String> PREFIX =
      SystemCommands.findOnPath("setsid")
          .map(setsid -> List.of(setsid.toString()))
          .orElse(List.of());

  private ProcessSession() {}

  public static List<String> prefix() {
    return PREFIX;
  }
}
