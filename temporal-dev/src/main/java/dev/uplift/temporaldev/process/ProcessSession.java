package dev.uplift.temporaldev.process;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/// Starts processes in a session of their own, so that Ctrl-C in the terminal reaches only this JVM, which ends the
/// others in order. Without `setsid` they share its session, and are ended as well.
public final class ProcessSession {
  private static final List<String> PREFIX =
      SystemCommands.findOnPath("setsid").map(setsid -> List.of(setsid.toString())).orElse(List.of());

  private ProcessSession() {}

  static List<String> prefix() {
    return PREFIX;
  }

  public static Process start(ProcessBuilder prepared) throws IOException {
    List<String> command = new ArrayList<>(PREFIX);
    command.addAll(prepared.command());
    return prepared.command(command).start();
  }
}
