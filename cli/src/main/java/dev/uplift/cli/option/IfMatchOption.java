package dev.uplift.cli.option;

import dev.uplift.cli.rest.CliException;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// What a change relies on, so that nobody undoes what somebody else has just done.
public final class IfMatchOption {
  @Option(
      names = "--if-match",
      paramLabel = "VERSION",
      description = "Only if it is at this version still, as `show --json` says it; * for any.")
  @Nullable String version;

  public Map<String, String> headers() {
    return version == null ? Map.of() : Map.of("If-Match", entityTag(version));
  }

  /// The version as the server writes it in a header.
  public static String entityTag(String version) {
    if (version.matches("\\*|\"[^\"]*\"")) {
      return version;
    }
    if (version.matches("[0-9]+")) {
      return "\"" + version + "\"";
    }
    throw CliException.usageError("--if-match: expected a version such as 7, or *");
  }
}
