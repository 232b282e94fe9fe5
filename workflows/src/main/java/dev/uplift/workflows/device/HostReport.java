package dev.uplift.workflows.device;

import dev.uplift.fleet.HostId;
import dev.uplift.fleet.Progress;
import dev.uplift.fleet.Reason;
import java.util.Optional;

/// How far a host got.
///
/// @param version that it was last found to run; `unknown` where it does not say
/// @param skipped whether an operator or a closed window left it as it is
/// @param reason why it stopped there, or did not roll back; the first one if both
/// @param versionBefore the version that it ran when it was prepared, to which it rolls back; empty where it did not
///   get so far
public record HostReport(
    HostId host,
    Progress progress,
    String version,
    boolean skipped,
    Optional<Reason> reason,
    Optional<String> versionBefore) {
  /// Of a host whose version before is not known.
  public HostReport(HostId host, Progress progress, String version, boolean skipped, Optional<Reason> reason) {
    this(host, progress, version, skipped, reason, Optional.empty());
  }
}
