package dev.uplift.cli;

import dev.uplift.cli.rest.CommandFailed;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// What a change relies on, so that nobody undoes what somebody else has just done.
final class Match {
  @Option(
      names = "--if-match",
      paramLabel = "VERSION",
      description = "Only if it is at this version still, as `show --json` says it; * for any.")
  @Nullable String version;

  Map<String, String> headers() {
    return version == null ? Map.of() : Map.of("If-Match", tag(version));
  }

  /// The version as the server writes it in a header.
  static String tag(String version) {
    if (version.matches("\\*|\"[^\"]*\"")) {
      return version;
    }
    if (version.matches("[0-9]+")) {
      return "\"" + version + "\"";
    }
    throw CommandFailed.usage("--if-match: expected a version such as 7, or *");
  }
}
