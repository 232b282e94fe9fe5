package dev.uplift.workflows.device;

import dev.uplift.fleet.HostId;
import dev.uplift.fleet.Progress;
import dev.uplift.fleet.Reason;
import java.util.Optional;

/// How far a host got.
///
/// @param version that it was last found to run; `unknown` where it does not say
/// @param skipped whether a person had it left as it is
/// @param reason why it did not go on here, or not back; the first one if both
/// @param versionBefore the version that it ran when it was prepared, which is where it goes back to;
///   empty where it did not get so far, and in old histories
public record HostReport(
    HostId host,
    Progress progress,
    String version,
    boolean skipped,
    Optional<Reason> reason,
    Optional<String> versionBefore) {
  /// Of a host that has not said what it ran before.
  public HostReport(
      HostId host, Progress progress, String version, boolean skipped, Optional<Reason> reason) {
    this(host, progress, version, skipped, reason, Optional.empty());
  }
}
