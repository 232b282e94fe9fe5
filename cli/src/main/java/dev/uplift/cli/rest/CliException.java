package dev.uplift.cli.rest;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/// Ends a command early: one line for a person, and the exit code for a script.
public class CliException extends RuntimeException {
  /// The server refused, or what was asked for did not work.
  public static final int FAILED = 1;

  /// The command was not called as it should be. Also what picocli returns.
  public static final int USAGE = 2;

  /// An upgrade ended, but not on the wanted version.
  public static final int UNSUCCESSFUL_OUTCOME = 3;

  /// No server answers.
  public static final int UNREACHABLE = 4;

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

  public int exitCode() {
    return exitCode;
  }
}
