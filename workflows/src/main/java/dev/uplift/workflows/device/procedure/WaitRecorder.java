package dev.uplift.workflows.device.procedure;

import dev.uplift.workflows.device.DeviceRecords;
import dev.uplift.workflows.device.PendingWait;
import dev.uplift.workflows.device.UpgradePlan;
import dev.uplift.workflows.device.UpgradeTimeouts;
import io.temporal.workflow.Async;
import io.temporal.workflow.Workflow;
import java.util.Optional;

/// Tells the records what the upgrade waits for, of the waits that may last. It does so beside the procedure, which
/// goes on while the database is unavailable, and costs nothing where there is no such wait.
final class WaitRecorder {
  private final UpgradePlan plan;
  private final PendingWaits waits;
  private final DeviceRecords records =
      Workflow.newActivityStub(DeviceRecords.class, UpgradeTimeouts.recordsOnceAcceptedOptions("record the wait"));
  private Optional<PendingWait> recorded = Optional.empty();
  private boolean isRunning;
  private boolean isRecording;
  private boolean isStopped;

  WaitRecorder(UpgradePlan plan, PendingWaits waits) {
    this.plan = plan;
    this.waits = waits;
  }

  /// Records the current waits, if any of them may last, and each change until there is none, also when the workflow is
  /// cancelled. To be called whenever something new is waited for. Never blocks.
  void record() {
    if (!isRunning && !isStopped && waits.oldestRecorded().isPresent()) {
      isRunning = true;
      Async.procedure(Workflow.newDetachedCancellationScope(this::recordChanges)::run);
    }
  }

  private void recordChanges() {
    while (awaitChange()) {
      recorded = waits.oldestRecorded();
      isRecording = true;
      records.recordWait(plan.device(), plan.upgrade(), recorded, Deadlines.now());
      isRecording = false;
    }
    isRunning = false;
  }

  private boolean awaitChange() {
    Workflow.await(() -> isStopped || recorded.isEmpty() || !waits.oldestRecorded().equals(recorded));
    return !isStopped && !waits.oldestRecorded().equals(recorded);
  }

  /// Begins no further report: with the end of the upgrade the records know that it waits no longer. Returns whether
  /// one is in progress, which goes on until the workflow ends.
  boolean stop() {
    isStopped = true;
    return isRecording;
  }
}
