package dev.uplift.cli.rest;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/// Ends a command early: one line for a person, and the exit code for a script.
public class CliException extends RuntimeException {
  /// The server rejected the request, or the operation failed.
  public static final int FAILED = 1;

  /// The command line is invalid. picocli returns the same code.
  public static final int USAGE = 2;

  /// An upgrade or rollout ended, but not on the requested version.
  public static final int UNSUCCESSFUL_OUTCOME = 3;

  /// No server responds.
  public static final int UNREACHABLE = 4;

  /// Everything works, but not everything is well.
  public static final int WARNINGS = 5;

  @Serial private static final long serialVersionUID = 1;

  private final int exitCode;

  public CliException(int exitCode, String line) {
    super(line);
    this.exitCode = exitCode;
  }

  public CliException(int exitCode, String line, @Nullable Throwable cause) {
    super(line, cause);
    this.exitCode = exitCode;
  }

  public static CliException usageError(String line) {
    return new CliException(USAGE, line);
  }

  /// Keeps the interrupt flag of the thread set.
  public static CliException interrupted(InterruptedException cause) {
    Thread.currentThread().interrupt();
    return new CliException(FAILED, "interrupted", cause);
  }

  public int exitCode() {
    return exitCode;
  }
}
