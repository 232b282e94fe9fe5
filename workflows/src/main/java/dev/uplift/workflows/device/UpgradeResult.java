package dev.uplift.workflows.device;

import dev.uplift.fleet.HostId;
import dev.uplift.fleet.Outcome;
import dev.uplift.fleet.Reason;
import io.temporal.failure.ApplicationErrorCategory;
import io.temporal.failure.ApplicationFailure;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// How a device upgrade ended. The workflow returns it if the device runs what was wanted, and fails with it otherwise,
/// so that Temporal's own lists, filters and counts tell the two apart.
///
/// @param reason what stopped it, or had a host skipped; empty where nothing went wrong
/// @param hosts in the order in which they are upgraded
public record UpgradeResult(Outcome outcome, Optional<Reason> reason, List<HostReport> hosts) {
  /// Returns the failure that the workflow closes with: the outcome as its type, the reason as its message, the whole
  /// result as its details. It is no error of ours, so the SDK does not count it.
  public ApplicationFailure toFailure() {
    return ApplicationFailure.newBuilder()
        .setType(outcome.toString())
        .setMessage(reason.map(Reason::message).orElseGet(outcome::toString))
        .setDetails(this)
        .setNonRetryable(true)
        .setCategory(ApplicationErrorCategory.BENIGN)
        .build();
  }

  /// Returns the result that a workflow failed with; empty if it failed for another reason.
  public static Optional<UpgradeResult> ofFailure(@Nullable Throwable failure) {
    return failure instanceof ApplicationFailure ended && ended.getDetails().getSize() == 1
        ? Optional.ofNullable(ended.getDetails().get(UpgradeResult.class))
        : Optional.empty();
  }

  /// Returns the version that each host was last found to run.
  public Map<HostId, String> versions() {
    Map<HostId, String> versions = new LinkedHashMap<>();
    hosts.forEach(host -> versions.put(host.host(), host.version()));
    return versions;
  }
}
