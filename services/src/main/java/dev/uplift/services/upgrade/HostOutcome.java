package dev.uplift.services.upgrade;

import dev.uplift.fleet.HostId;
import dev.uplift.fleet.Progress;
import dev.uplift.fleet.Reason;
import java.util.List;
import java.util.Optional;

/// How far a host got in an upgrade, as the table keeps it: JSON of its own, so that rows and workflow histories may
/// change independently of each other.
///
/// @param version that it was last found to run; `unknown` where it does not say
/// @param skipped whether an operator had it left as it is
/// @param reason why it stopped there; the first one if there were several
/// @param versionBefore the version that it ran before the upgrade; empty where that is not known
public record HostOutcome(
    HostId host,
    Progress progress,
    String version,
    boolean skipped,
    Optional<Reason> reason,
    Optional<String> versionBefore) {

  /// Writes the outcomes of all hosts of an upgrade, in their order.
  public static String write(List<HostOutcome> outcomes) {
    return ColumnJson.MAPPER.writeValueAsString(outcomes);
  }

  /// Reads what [#write] has written. Fields that are not known are ignored.
  public static List<HostOutcome> read(String json) {
    return List.of(ColumnJson.MAPPER.readValue(json, HostOutcome[].class));
  }
}
