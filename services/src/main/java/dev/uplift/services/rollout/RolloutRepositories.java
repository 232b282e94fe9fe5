package dev.uplift.services.rollout;

import dev.uplift.fleet.RolloutId;
import dev.uplift.fleet.rollout.RolloutControl;
import dev.uplift.services.Repositories;
import dev.uplift.store.Database;
import dev.uplift.store.audit.AuditRepository;
import dev.uplift.store.device.DeviceRow;
import dev.uplift.store.device.LabelWindowRepository;
import dev.uplift.store.rollout.DeviceRolloutRepository;
import dev.uplift.store.rollout.RolloutDecisionRepository;
import dev.uplift.store.rollout.RolloutExclusionRepository;
import dev.uplift.store.rollout.RolloutHosts;
import dev.uplift.store.rollout.RolloutQueue;
import dev.uplift.store.rollout.RolloutRepository;
import dev.uplift.store.rollout.RolloutRevertRepository;
import dev.uplift.store.rollout.RolloutStatistics;
import dev.uplift.store.rollout.RolloutTargetRepository;
import dev.uplift.store.rollout.RolloutWaveRepository;
import jakarta.inject.Singleton;
import java.util.Optional;

/// The tables that rollouts work with.
///
/// @param common those of devices and upgrades
@Singleton
public record RolloutRepositories(
    Database database,
    RolloutRepository rollouts,
    DeviceRolloutRepository ofDevices,
    RolloutWaveRepository waves,
    RolloutTargetRepository targets,
    RolloutExclusionRepository exclusions,
    RolloutRevertRepository reverts,
    RolloutQueue queue,
    RolloutStatistics statistics,
    RolloutHosts hosts,
    RolloutDecisionRepository decisions,
    LabelWindowRepository labelWindows,
    AuditRepository audit,
    Repositories common) {
  /// A device of a rollout's tenant; empty where it is gone, or has no hosts.
  public Optional<DeviceRow> findDevice(RolloutId id, String name) {
    return common.devices().find(id.device(name)).filter(found -> !found.hosts().isEmpty());
  }

  /// The control of a rollout as it is now.
  ///
  /// @throws java.util.NoSuchElementException if there is no such rollout
  public RolloutControl control(RolloutId id) {
    return RolloutJson.readControl(rollouts.find(id).orElseThrow().control());
  }
}
