package dev.uplift.workflows.barrier;

import dev.uplift.fleet.barrier.BarrierOutcome;
import io.temporal.activity.ActivityInterface;
import io.temporal.activity.ActivityMethod;

/// The row of a barrier, which REST reads also while Temporal is unavailable. Each call is one transaction of
/// milliseconds under the lock of the row, is safe to repeat, and is retried until it succeeds.
@ActivityInterface
public interface BarrierRecords {
  /// Reads where it is.
  @ActivityMethod(name = "read-barrier")
  BarrierStatus read(BarrierInput input);

  /// Records that the migration may begin.
  @ActivityMethod(name = "record-halted")
  BarrierStatus recordHalted(BarrierInput input);

  /// Records and audits a request, or refuses it and changes nothing. A repeat of a recorded request has no effect.
  @ActivityMethod(name = "record-request")
  RecordedRequest recordRequest(BarrierInput input, BarrierRequest request);

  /// Records how the barrier will have ended; from now on no host is told to halt. An outcome that was recorded before
  /// stays.
  @ActivityMethod(name = "record-resuming")
  BarrierStatus recordResuming(BarrierInput input, BarrierOutcome outcome, String message);

  /// The result of a request.
  ///
  /// @param refusal why nothing was done; empty if it was
  /// @param status where the barrier is afterwards
  record RecordedRequest(String refusal, BarrierStatus status) {}
}
