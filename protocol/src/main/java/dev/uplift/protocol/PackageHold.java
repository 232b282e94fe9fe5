package dev.uplift.protocol;

import dev.uplift.protocol.json.JsonObject;
import dev.uplift.protocol.json.JsonWriter;
import java.time.Instant;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/// What the owner of a host says of one of its packages: nothing is to be installed. In files of the agent it has the
/// same form as in an info.
///
/// @param reason a sentence for people
/// @param by the user of the host who said so
/// @param since by the clock of the host
/// @param until when it ends by itself; empty: not by itself
public record PackageHold(String reason, String by, Instant since, Optional<Instant> until) {
  public static final int MAX_REASON_CHARS = 200;
  private static final int MAX_USER_CHARS = 64;

  public PackageHold {
    FieldLimits.require(!reason.isBlank(), "reason", "a text in a hold");
    FieldLimits.requireMaxChars("reason", reason, MAX_REASON_CHARS);
    FieldLimits.requireMaxChars("by", by, MAX_USER_CHARS);
    reason = FieldLimits.truncate(reason);
    by = FieldLimits.truncate(by);
  }

  /// Reads holds by package.
  ///
  /// @param in an object of which each field is a package
  public static SortedMap<String, PackageHold> readAll(JsonObject in) {
    var holds = new TreeMap<String, PackageHold>();
    for (String packageName : in.names()) {
      FieldLimits.requirePackageName("holds", packageName);
      JsonObject hold = in.object(packageName);
      holds.put(
          packageName,
          new PackageHold(
              hold.string("reason"),
              hold.stringOr("by", ""),
              hold.instant("since"),
              hold.has("until") ? Optional.of(hold.instant("until")) : Optional.empty()));
    }
    return holds;
  }

  /// Writes holds by package, each a field of an object.
  public static void writeAll(JsonWriter out, SortedMap<String, PackageHold> holds) {
    holds.forEach((packageName, hold) -> out.put(packageName, hold::write));
  }

  private void write(JsonWriter out) {
    out.put("reason", reason).putUnlessEmpty("by", by).put("since", since);
    until.ifPresent(end -> out.put("until", end));
  }

  /// For people.
  public String describe(String packageName) {
    return "%s is held by its owner (%s)%s: %s"
        .formatted(packageName, by, until.map(end -> " until " + end).orElse(""), reason);
  }
}
