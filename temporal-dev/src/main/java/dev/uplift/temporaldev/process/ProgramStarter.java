package dev.uplift.temporaldev.process;

import java.io.IOException;

/// Starts nats-server and Temporal for a stack: as processes of this machine, unless tests have them elsewhere.
@FunctionalInterface
public interface ProgramStarter {
  /// Starts a program, known by its file name, with arguments, folder, environment and log as prepared. All that it
  /// needs lies in the folder around its own. It listens and is reached on the loopback interface of this machine.
  Process start(ProcessBuilder prepared) throws IOException;
}
