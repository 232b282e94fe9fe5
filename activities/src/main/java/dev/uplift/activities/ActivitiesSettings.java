package dev.uplift.activities;

import dev.uplift.activities.temporal.TemporalSettings;
import dev.uplift.services.artifacts.ArtifactUrlSigner;
import dev.uplift.services.messaging.NatsSettings;
import dev.uplift.services.trust.CommandKeys;
import dev.uplift.workflows.device.UpgradeTimeouts;
import dev.uplift.workflows.rollout.RolloutTimeouts;
import java.time.Duration;

/// All that this module is told.
///
/// @param commandKeys sign what hosts are told
/// @param silentAfter how long a host may not beat before it counts as silent: three beats and some
/// @param reconcileEvery how often upgrades whose workflow is gone are looked for
/// @param upgradeTimeouts of the upgrades that rollouts start
/// @param rolloutTimeouts of rollouts themselves
public record ActivitiesSettings(
    NatsSettings nats,
    TemporalSettings temporal,
    CommandKeys commandKeys,
    ArtifactUrlSigner artifactUrls,
    Duration silentAfter,
    Duration reconcileEvery,
    UpgradeTimeouts upgradeTimeouts,
    RolloutTimeouts rolloutTimeouts) {
  /// Where rollouts and their upgrades keep the usual times.
  public ActivitiesSettings(
      NatsSettings nats,
      TemporalSettings temporal,
      CommandKeys commandKeys,
      ArtifactUrlSigner artifactUrls,
      Duration silentAfter,
      Duration reconcileEvery) {
    this(
        nats,
        temporal,
        commandKeys,
        artifactUrls,
        silentAfter,
        reconcileEvery,
        UpgradeTimeouts.DEFAULTS,
        RolloutTimeouts.DEFAULTS);
  }

  public static final Duration DEFAULT_SILENT_AFTER = Duration.ofSeconds(100);
  public static final Duration DEFAULT_RECONCILE_EVERY = Duration.ofMinutes(1);
}
