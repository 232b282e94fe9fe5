package dev.uplift.workflows.device.procedure;

import dev.uplift.fleet.HostId;
import dev.uplift.fleet.Reason;
import dev.uplift.fleet.Step;
import dev.uplift.workflows.device.Operator;
import dev.uplift.workflows.device.PendingWait;
import dev.uplift.workflows.device.UpgradeWaitReason;
import java.time.Instant;
import java.util.function.BooleanSupplier;

/// What holds an upgrade up until somebody says a word: until the deadline at most, also where that
/// is moved meanwhile.
final class BoundedWaits {
  private final Deadlines deadlines;
  private final PendingWaits waits;

  BoundedWaits(Deadlines deadlines, PendingWaits waits) {
    this.deadlines = deadlines;
    this.waits = waits;
  }

  void awaitResume(Step step, HostId host) {
    if (deadlines.pausedBy().isPresent()) {
      Operator by = deadlines.pausedBy().get();
      String sentence = "resume, before %s %s: paused by %s".formatted(step, host, by.describe());
      await(UpgradeWaitReason.RESUME, step, host, sentence, () -> deadlines.pausedBy().isEmpty());
    }
  }

  /// Returns when it is said.
  ///
  /// @throws UpgradeStopped when it is not, or something else stops the upgrade
  void await(UpgradeWaitReason reason, Step step, HostId host, String sentence, BooleanSupplier said) {
    PendingWait pendingWait = PendingWaits.newPendingWait(reason, step, host, sentence, deadlines.notAfter());
    while (true) {
      Instant end = deadlines.notAfter();
      boolean answered =
          waits.await(
              pendingWait.until(end),
              () -> said.getAsBoolean() || deadlines.isStopped() || !deadlines.notAfter().equals(end));
      deadlines.throwIfStopped();
      if (!answered) {
        throw deadlines.requestStop(Reason.deadline(end, "waited for " + sentence));
      }
      if (said.getAsBoolean()) {
        return;
      }
    }
  }
}
