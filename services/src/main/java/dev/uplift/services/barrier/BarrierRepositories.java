package dev.uplift.services.barrier;

import dev.uplift.services.rollout.RolloutRepositories;
import dev.uplift.store.barrier.BarrierHostRepository;
import dev.uplift.store.barrier.BarrierRepository;
import jakarta.inject.Singleton;

/// The tables that barriers work with.
///
/// @param rollouts those of rollouts, devices, commands and upgrades
@Singleton
public record BarrierRepositories(
    BarrierRepository barriers, BarrierHostRepository hosts, RolloutRepositories rollouts) {}
