package dev.uplift.activities.rollout;

import dev.uplift.activities.temporal.PolicySignals;
import dev.uplift.activities.temporal.StepTimeoutResolver;
import dev.uplift.activities.temporal.UpgradeWorkflowClient;
import dev.uplift.services.presence.HostPresence;
import dev.uplift.services.rollout.RolloutRepositories;
import dev.uplift.services.upgrade.ConcurrentStarts;
import io.micronaut.context.annotation.Factory;
import jakarta.inject.Singleton;

/// The beans of this package that need more than other beans.
@Factory
final class RolloutActivitiesFactory {
  @Singleton
  RolloutStepsActivities steps(
      RolloutRepositories repositories,
      HostPresence presence,
      UpgradeWorkflowClient workflows,
      ConcurrentStarts concurrentStarts,
      StepTimeoutResolver timeouts) {
    return new RolloutStepsActivities(
        repositories, presence, workflows, concurrentStarts, timeouts, RolloutStepsActivities.POLL_INTERVAL);
  }

  @Singleton
  RolloutRecordsActivities records(
      RolloutRepositories repositories, RolloutStepsActivities steps, PolicySignals policies) {
    return new RolloutRecordsActivities(repositories, steps::notifyChanged, policies::recheckAfterRollout);
  }
}
