package dev.uplift.cli.option;

import dev.uplift.cli.rest.CliException;
import java.util.HashMap;
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

  public Map<String, String> headers() {
    return version == null ? Map.of() : Map.of("If-Match", entityTag(version));
  }

  /// As [#headers()]; with `isNew` only if there is no such thing yet.
  public Map<String, String> headers(boolean isNew) {
    Map<String, String> headers = new HashMap<>(headers());
    if (isNew) {
      headers.put("If-None-Match", "*");
    }
    return headers;
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
