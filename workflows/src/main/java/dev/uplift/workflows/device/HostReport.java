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
public record HostReport(
    HostId host, Progress progress, String version, boolean skipped, Optional<Reason> reason) {}
