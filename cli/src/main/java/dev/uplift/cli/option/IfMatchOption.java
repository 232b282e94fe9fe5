package dev.uplift.cli.option;

import dev.uplift.cli.rest.CliException;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// The version that a change is based on, so that concurrent changes do not overwrite each other.
public final class IfMatchOption {
  @Option(
      names = "--if-match",
      paramLabel = "VERSION",
      description = "Only if this is still its version, as shown by `show --json`; * for any.")
  @Nullable String version;

  Map<String, String> headers() {
    return version == null ? Map.of() : Map.of("If-Match", entityTag(version));
  }

  /// Returns the version as an entity tag.
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
