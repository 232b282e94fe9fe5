package dev.uplift.temporaldev.up;

import dev.uplift.temporaldev.process.StackException;
import java.io.IOException;
import java.util.List;

/// A program that runs in place of the command: it has its input, output and environment, and ends with it.
final class ForegroundProgram {
  private ForegroundProgram() {}

  /// Runs the program and returns its exit code.
  static int run(List<String> command) {
    Process process = start(command);
    Thread hook = new Thread(() -> end(process), "end of the program");
    Runtime.getRuntime().addShutdownHook(hook);
    try {
      return process.waitFor();
    } catch (InterruptedException e) {
      throw StackException.interrupted(command.getFirst(), e);
    } finally {
      process.destroy();
    }
  }

  private static Process start(List<String> command) {
    try {
      return new ProcessBuilder(command).inheritIO().start();
    } catch (IOException e) {
      throw new StackException("cannot start " + command.getFirst() + ": " + e.getMessage(), e);
    }
  }

  private static void end(Process process) {
    process.destroy();
    try {
      process.waitFor();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }
}
