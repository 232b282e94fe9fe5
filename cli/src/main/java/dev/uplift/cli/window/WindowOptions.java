package dev.uplift.cli.window;

import dev.uplift.cli.file.UserFile;
import dev.uplift.cli.rest.CliException;
import dev.uplift.cli.rest.RestClient;
import dev.uplift.cli.text.JsonTable;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Maintenance windows: each as text, or all of them in a file.
public final class WindowOptions {
  private static final String DAILY = "mon,tue,wed,thu,fri,sat,sun";

  @Option(
      names = "--window",
      paramLabel = "WINDOW",
      description = {
        "Days, start, duration, and a time zone if it is not each site's own:",
        "'mon,tue 02:00 4h', 'daily 22:30 90m Europe/Berlin'. May be repeated."
      })
  @Nullable List<String> windows;

  @Option(
      names = "--blackout",
      paramLabel = "DATE",
      description = "Closed on this day or days: 2026-12-24, 2026-12-20/2027-01-06. May be repeated.")
  @Nullable List<String> blackouts;

  @Option(
      names = "--windows",
      paramLabel = "FILE",
      description = "All windows as a JSON list, in the format of the REST API.")
  @Nullable Path file;

  /// Returns the windows; empty if no option was given.
  public Optional<ArrayNode> toJson() {
    if (file != null) {
      if (windows != null || blackouts != null) {
        throw CliException.usageError("expected --windows or --window, not both");
      }
      return Optional.of(UserFile.readList(file));
    }
    if (windows == null) {
      if (blackouts != null) {
        throw CliException.usageError("--blackout needs a --window; for a freeze: daily 00:00 24h");
      }
      return Optional.empty();
    }
    ArrayNode list = RestClient.JSON.createArrayNode();
    windows.forEach(text -> list.add(parseWindow(text)));
    return Optional.of(list);
  }

  private ObjectNode parseWindow(String text) {
    String[] words = text.strip().split("\\s+", -1);
    if (words.length < 3 || words.length > 4) {
      throw CliException.usageError(
          "--window \"%s\": expected days, start, duration and optionally a zone, such as".formatted(text)
              + " \"mon,tue 02:00 4h Europe/Berlin\"");
    }
    ObjectNode window = RestClient.JSON.createObjectNode();
    ArrayNode days = window.putArray("days_of_week");
    for (String day : (words[0].equals("daily") ? DAILY : words[0]).split(",", -1)) {
      days.add(day);
    }
    window.put("start_time", words[1]).put("duration", words[2]);
    if (words.length == 4) {
      window.put("timezone", words[3]);
    }
    if (blackouts != null) {
      blackouts.forEach(window.putArray("blackout_dates")::add);
    }
    return window;
  }

  /// Formats windows as on the command line, separated by semicolons.
  public static String describe(JsonNode windows) {
    return String.join("; ", windows.valueStream().map(WindowOptions::describeWindow).toList());
  }

  private static String describeWindow(JsonNode window) {
    String days = JsonTable.join(window.path("days_of_week"));
    String blackouts = JsonTable.join(window.path("blackout_dates"));
    return "%s %s %s %s%s"
        .formatted(
            days.split(",", -1).length == 7 ? "daily" : days,
            window.path("start_time").asString(""),
            window.path("duration").asString(""),
            window.path("timezone").asString("site-local"),
            blackouts.isEmpty() ? "" : " but " + blackouts);
  }
}
