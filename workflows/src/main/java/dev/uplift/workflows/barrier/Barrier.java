package dev.uplift.workflows.barrier;

import io.temporal.workflow.QueryMethod;
import io.temporal.workflow.UpdateMethod;
import io.temporal.workflow.UpdateValidatorMethod;
import io.temporal.workflow.WorkflowInterface;
import io.temporal.workflow.WorkflowMethod;
import java.util.Optional;

/// Halts a package on many hosts, waits for a migration, and has them resume. Start it with
/// [BarrierInput#workflowOptions].
///
/// A barrier that did not reach a migration closes as failed: the type of the failure is the
/// [dev.uplift.fleet.barrier.BarrierOutcome], its details are the [BarrierResult]. To cancel the workflow in Temporal
/// is to abort the barrier: everybody resumes, then it closes as cancelled, and only the row has its outcome.
@WorkflowInterface
public interface Barrier {
  @WorkflowMethod
  BarrierResult run(BarrierInput input);

  /// Returns why nothing was done; empty if it was. Safe to repeat.
  @UpdateMethod
  String act(BarrierRequest request);

  /// Refuses a request once the hosts are told to resume; such an update leaves no trace.
  @UpdateValidatorMethod(updateName = "act")
  void validateAct(BarrierRequest request);

  /// Where it was when it last decided; empty before that.
  @QueryMethod
  Optional<BarrierStatus> status();
}
