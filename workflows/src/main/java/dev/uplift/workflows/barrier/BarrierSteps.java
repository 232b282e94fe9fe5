package dev.uplift.workflows.barrier;

import io.temporal.activity.ActivityInterface;
import io.temporal.activity.ActivityMethod;

/// The work of a barrier on its hosts, all at once. Each activity runs until there is something to decide, or
/// [BarrierTimeouts#MAX_RUN] is over; it heartbeats meanwhile, and returns where the barrier is then.
///
/// Safe to repeat, also side by side: a command is created once, under the lock of the barrier's row and only in the
/// state that it belongs to, and a host repeats its answer.
@ActivityInterface
public interface BarrierSteps {
  /// Tells the hosts to halt. One whose device is being upgraded is told when that has ended. Returns once the barrier
  /// has to decide something else than to wait; once the deadline is past, no host is pending.
  @ActivityMethod(name = "halt-hosts")
  BarrierStatus haltHosts(BarrierInput input);

  /// Upgrades the device that is to be migrated, and waits for the end.
  @ActivityMethod(name = "migrate-device")
  MigrationResult migrateDevice(BarrierInput input);

  /// Tells the hosts to resume, those too that have not answered. Returns once all that had halted have resumed, by
  /// themselves at the latest.
  @ActivityMethod(name = "resume-hosts")
  BarrierStatus resumeHosts(BarrierInput input);

  /// Lets go of the devices, begins the rollout that follows if there is to be one, and records the end.
  @ActivityMethod(name = "end-barrier")
  BarrierResult end(BarrierInput input);
}
