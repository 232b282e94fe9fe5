package dev.uplift.activities;

import dev.uplift.activities.artifacts.ArtifactAddresses;
import dev.uplift.activities.nats.NatsSettings;
import dev.uplift.activities.temporal.TemporalSettings;
import dev.uplift.activities.trust.CommandKeys;
import dev.uplift.workflows.device.Pace;
import dev.uplift.workflows.rollout.RolloutPace;
import java.time.Duration;

/// All that this module is told.
///
/// @param commandKeys sign what hosts are told
/// @param silentAfter how long a host may not beat before it counts as silent: three beats and some
/// @param reconcileEvery how often upgrades whose workflow is gone are looked for
/// @param pace of the upgrades that rollouts start
/// @param rolloutPace of rollouts themselves
public record WiringSettings(
    NatsSettings nats,
    TemporalSettings temporal,
    CommandKeys commandKeys,
    ArtifactAddresses artifacts,
    Duration silentAfter,
    Duration reconcileEvery,
    Pace pace,
    RolloutPace rolloutPace) {
  /// Where rollouts and their upgrades keep the usual times.
  public WiringSettings(
      NatsSettings nats,
      TemporalSettings temporal,
      CommandKeys commandKeys,
      ArtifactAddresses artifacts,
      Duration silentAfter,
      Duration reconcileEvery) {
    this(
        nats,
        temporal,
        commandKeys,
        artifacts,
        silentAfter,
        reconcileEvery,
        Pace.USUAL,
        RolloutPace.USUAL);
  }

  public static final Duration SILENT_AFTER = Duration.ofSeconds(100);
  public static final Duration RECONCILE_EVERY = Duration.ofMinutes(1);
}
