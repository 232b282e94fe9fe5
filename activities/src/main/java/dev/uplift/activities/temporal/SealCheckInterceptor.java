package dev.uplift.activities.temporal;

import io.temporal.common.interceptors.WorkerInterceptorBase;
import io.temporal.common.interceptors.WorkflowInboundCallsInterceptor;
import io.temporal.common.interceptors.WorkflowInboundCallsInterceptorBase;
import io.temporal.common.interceptors.WorkflowOutboundCallsInterceptor;
import io.temporal.common.interceptors.WorkflowOutboundCallsInterceptorBase;
import io.temporal.failure.ApplicationFailure;
import io.temporal.workflow.Workflow;
import io.temporal.workflow.WorkflowInfo;
import io.temporal.workflow.unsafe.WorkflowUnsafe;
import jakarta.inject.Singleton;
import java.time.Instant;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/// Refuses what no server of ours has sealed: such a workflow fails before its first statement, such an Update leaves
/// no trace. Neither is asked again in a replay, so a change of the secret breaks no running workflow.
@Singleton
public final class SealCheckInterceptor extends WorkerInterceptorBase {
  static final String NOT_OURS = "not-ours";

  /// Started by a schedule, which appends the time to the workflow id that was sealed. It only has a policy begin a
  /// run.
  private static final String SCHEDULED_TYPE = "PolicyRun";

  private static final Pattern SCHEDULED_TIME = Pattern.compile("-\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ$");

  private final RequestSeal seal;
  private final RejectedRequests rejectedRequests;

  public SealCheckInterceptor(RequestSeal seal, RejectedRequests rejectedRequests) {
    this.seal = seal;
    this.rejectedRequests = rejectedRequests;
  }

  @Override
  public WorkflowInboundCallsInterceptor interceptWorkflow(WorkflowInboundCallsInterceptor next) {
    return new Check(next);
  }

  /// Of one run.
  private final class Check extends WorkflowInboundCallsInterceptorBase {
    /// Seals of Updates that were carried out: none is good for a second one.
    private final Set<String> used = new HashSet<>();

    private Optional<String> startSeal = Optional.empty();
    private Object[] input = new Object[0];

    Check(WorkflowInboundCallsInterceptor next) {
      super(next);
    }

    @Override
    public void init(WorkflowOutboundCallsInterceptor outbound) {
      super.init(
          new WorkflowOutboundCallsInterceptorBase(outbound) {
            // The next run has the same input, so it has the same seal.
            @Override
            public void continueAsNew(ContinueAsNewInput next) {
              startSeal.ifPresent(found -> SealingInterceptor.write(next.getHeader(), found));
              super.continueAsNew(next);
            }
          });
    }

    @Override
    public WorkflowOutput execute(WorkflowInput start) {
      WorkflowInfo run = Workflow.getInfo();
      input = start.getArguments();
      startSeal = SealingInterceptor.read(start.getHeader());
      if (!WorkflowUnsafe.isReplaying()
          && startSeal
              .filter(found -> seal.isStartSealed(found, sealedId(run), run.getWorkflowType(), input))
              .isEmpty()) {
        throw ApplicationFailure.newNonRetryableFailure(refuse("the start of " + run.getWorkflowId()), NOT_OURS);
      }
      return super.execute(start);
    }

    private static String sealedId(WorkflowInfo run) {
      String id = run.getWorkflowId();
      return run.getWorkflowType().equals(SCHEDULED_TYPE) ? SCHEDULED_TIME.matcher(id).replaceFirst("") : id;
    }

    @Override
    public void validateUpdate(UpdateInput update) {
      WorkflowInfo run = Workflow.getInfo();
      Instant now = Instant.ofEpochMilli(Workflow.currentTimeMillis());
      if (SealingInterceptor.read(update.getHeader())
          .filter(found -> !used.contains(found))
          .filter(found ->
              seal.isUpdateSealed(
                  found, run.getWorkflowId(), run.getRunId(), update.getUpdateName(), update.getArguments(), now))
          .isEmpty()) {
        // Not an ApplicationFailure: the SDK would wrap it, and the sender would not get the message.
        throw new IllegalStateException(
            refuse("the update %s of %s".formatted(update.getUpdateName(), run.getWorkflowId())));
      }
      super.validateUpdate(update);
    }

    @Override
    public UpdateOutput executeUpdate(UpdateInput update) {
      SealingInterceptor.read(update.getHeader()).ifPresent(used::add);
      return super.executeUpdate(update);
    }

    /// Records what was sent, and returns the reason for its sender.
    private String refuse(String what) {
      rejectedRequests.record(Workflow.getInfo().getWorkflowType(), input, what);
      return what + " does not come from a server of this installation; use REST or the command line of Uplift";
    }
  }
}
