package dev.uplift.api.timeouts;

import dev.uplift.activities.temporal.StepTimeoutResolver;
import dev.uplift.api.problem.ProblemException;
import dev.uplift.api.problem.RequestError;
import dev.uplift.fleet.Release;
import dev.uplift.fleet.Step;
import dev.uplift.fleet.StepTimeouts;
import dev.uplift.store.release.ReleaseRow;
import dev.uplift.workflows.device.UpgradeTimeouts;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Optional;

/// Decides which time-outs requests may ask for.
@Singleton
public final class StepTimeoutAdmission {
  private final StepTimeoutResolver resolver;

  StepTimeoutAdmission(StepTimeoutResolver resolver) {
    this.resolver = resolver;
  }

  /// Returns the time-outs in force, or refuses those that are longer than the server allows (422).
  public UpgradeTimeouts admit(String tenant, Release release, StepTimeouts requested) {
    requireAllowed(requested);
    return resolver.resolve(tenant, release, requested);
  }

  /// As above, for a release that was read; empty if it does not exist.
  public UpgradeTimeouts admit(Optional<ReleaseRow> release, StepTimeouts requested) {
    requireAllowed(requested);
    return resolver.resolve(release, requested);
  }

  private void requireAllowed(StepTimeouts requested) {
    List<Step> refused = resolver.refused(requested);
    if (!refused.isEmpty()) {
      throw ProblemException.unprocessable(refused.stream().map(this::tooLong).toList());
    }
  }

  private RequestError tooLong(Step step) {
    return RequestError.atPointer(
        "/step_timeouts/%s_seconds".formatted(step.toString().replace('-', '_')),
        "expected at most %d, which this server allows (UPLIFT_TIMEOUTS_LONGEST)"
            .formatted(resolver.longest().toSeconds()));
  }
}
