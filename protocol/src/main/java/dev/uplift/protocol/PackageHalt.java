package dev.uplift.protocol;

import dev.uplift.protocol.json.JsonObject;
import dev.uplift.protocol.json.JsonWriter;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/// A package of a host that is halted by a barrier: nothing of it is installed until the host resumes.
///
/// @param barrier its name
/// @param until when the host resumes by itself, by the server's clock
public record PackageHalt(String barrier, Instant until) {
  /// No halt lasts longer.
  public static final Duration MAX_DURATION = Duration.ofDays(7);

  public PackageHalt {
    FieldLimits.requireId("barrier", barrier);
  }

  /// Reads halts by package.
  ///
  /// @param in an object of which each field is a package
  static SortedMap<String, PackageHalt> readAll(JsonObject in) {
    var halts = new TreeMap<String, PackageHalt>();
    for (String packageName : in.names()) {
      FieldLimits.requirePackageName("halts", packageName);
      JsonObject halt = in.object(packageName);
      halts.put(packageName, new PackageHalt(halt.string("barrier"), halt.instant("until")));
    }
    return halts;
  }

  /// Writes halts by package, each a field of an object.
  static void writeAll(JsonWriter out, SortedMap<String, PackageHalt> halts) {
    for (Map.Entry<String, PackageHalt> each : halts.entrySet()) {
      PackageHalt halt = each.getValue();
      out.put(each.getKey(), inner -> inner.put("barrier", halt.barrier).put("until", halt.until));
    }
  }

  /// For people.
  public String describe(String packageName) {
    return "%s is halted for barrier %s until %s".formatted(packageName, barrier, until);
  }
}
