package dev.uplift.api.rollouts;

import dev.uplift.activities.temporal.RolloutWorkflowClient;
import dev.uplift.activities.temporal.TemporalUnavailable;
import dev.uplift.api.problem.ProblemException;
import dev.uplift.api.problem.RequestError;
import dev.uplift.api.request.AuditedTransaction;
import dev.uplift.api.request.RequestContext;
import dev.uplift.api.timeouts.StepTimeoutAdmission;
import dev.uplift.fleet.RolloutId;
import dev.uplift.fleet.StepTimeouts;
import dev.uplift.fleet.rollout.RolloutState;
import dev.uplift.fleet.rollout.plan.PlanViolation;
import dev.uplift.fleet.rollout.plan.RolloutPlan;
import dev.uplift.services.rollout.PlanningResult;
import dev.uplift.services.rollout.RolloutJson;
import dev.uplift.services.rollout.RolloutPlanner;
import dev.uplift.services.rollout.RolloutPreview;
import dev.uplift.services.rollout.RolloutSpec;
import dev.uplift.store.device.Precondition;
import dev.uplift.store.rollout.RolloutRepository;
import dev.uplift.store.rollout.RolloutRow;
import jakarta.inject.Singleton;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Records rollouts and starts them. The row is written first: if the workflow cannot be started now, it is started
/// later because of the row.
@Singleton
final class RolloutService {
  private static final Logger LOG = LoggerFactory.getLogger(RolloutService.class);

  private final RolloutPlanner planner;
  private final RolloutWorkflowClient workflows;
  private final RolloutRepository rollouts;
  private final AuditedTransaction transaction;
  private final StepTimeoutAdmission timeouts;

  RolloutService(
      RolloutPlanner planner,
      RolloutWorkflowClient workflows,
      RolloutRepository rollouts,
      AuditedTransaction transaction,
      StepTimeoutAdmission timeouts) {
    this.planner = planner;
    this.workflows = workflows;
    this.rollouts = rollouts;
    this.transaction = transaction;
    this.timeouts = timeouts;
  }

  /// A recorded rollout.
  ///
  /// @param isNew whether this call recorded it
  record CreatedRollout(RolloutRow row, boolean isNew) {}

  /// Previews a rollout, or refuses it as its creation would.
  RolloutPreview preview(RolloutId id, RolloutSpec spec, boolean draft) {
    rollouts.find(id).ifPresent(known -> requireSame(known, spec, draft));
    return preview(planner.preview(id, spec));
  }

  /// Returns the number of devices with which a draft would start, or refuses it as its start would.
  int countDraftDevices(RolloutRow draft) {
    return preview(planner.preview(draft.id(), RolloutJson.readSpec(draft.plan()))).devices();
  }

  private static RolloutPreview preview(PlanningResult planningResult) {
    return switch (planningResult) {
      case PlanningResult.Previewed(RolloutPreview rolloutPreview) -> rolloutPreview;
      case PlanningResult.Invalid(List<PlanViolation> violations) -> throw unprocessable(violations);
      case PlanningResult.Created _, PlanningResult.AlreadyExists _, PlanningResult.DraftNotFound _ ->
          throw new IllegalStateException("a preview stores nothing: " + planningResult);
    };
  }

  /// Returns the time-outs of its steps in force, or refuses those that are longer than the server allows.
  StepTimeouts admitStepTimeouts(String tenant, RolloutSpec spec) {
    return timeouts.admit(tenant, spec.plan().release(), spec.stepTimeouts()).settable();
  }

  CreatedRollout create(RequestContext requestContext, RolloutId id, RolloutSpec spec, boolean draft) {
    StepTimeouts _ = admitStepTimeouts(id.tenant(), spec);
    String by = requestContext.caller().name();
    CreatedRollout createdRollout =
        transaction.run(
            requestContext,
            () ->
                recordPlanned(
                    requestContext,
                    "rollout.create",
                    draft ? planner.createDraft(id, spec, by) : planner.create(id, spec, by)));
    if (!createdRollout.isNew()) {
      requireSame(createdRollout.row(), spec, draft);
    }
    start(createdRollout.row());
    return createdRollout;
  }

  /// Replaces the plan of a draft. To be called within [AuditedTransaction#run].
  RolloutRow updateDraft(RequestContext requestContext, RolloutRow draft, RolloutSpec spec) {
    StepTimeouts _ = admitStepTimeouts(draft.id().tenant(), spec);
    rollouts.addAuthor(draft.id(), requestContext.caller().name());
    return recordPlanned(requestContext, "rollout.patch", planner.updateDraft(draft.id(), spec, draft.createdBy()))
        .row();
  }

  /// Starts the rollout of a draft.
  RolloutRow startDraft(RequestContext requestContext, RolloutId id, Precondition precondition) {
    RolloutRow row =
        transaction.run(
            requestContext,
            () -> {
              RolloutRow _ = RolloutController.requireRevision(precondition, lockDraft(id));
              rollouts.addAuthor(id, requestContext.caller().name());
              return recordPlanned(requestContext, "rollout.start", planner.launchDraft(id)).row();
            });
    start(row);
    return row;
  }

  private CreatedRollout recordPlanned(RequestContext requestContext, String action, PlanningResult planningResult) {
    return switch (planningResult) {
      case PlanningResult.Created(RolloutRow row) -> {
        transaction.recordAudit(requestContext, action, "rollout/" + row.id().name(), row.plan());
        yield new CreatedRollout(row, true);
      }
      case PlanningResult.AlreadyExists(RolloutRow row) -> new CreatedRollout(row, false);
      case PlanningResult.Invalid(List<PlanViolation> violations) -> throw unprocessable(violations);
      case PlanningResult.DraftNotFound() -> throw ProblemException.conflict("it is no longer a draft; read it again");
      case PlanningResult.Previewed _ ->
          throw new IllegalStateException("expected a stored rollout: " + planningResult);
    };
  }

  private void start(RolloutRow row) {
    if (row.state() == RolloutState.DRAFT || row.state() == RolloutState.ENDED) {
      return;
    }
    try {
      workflows.start(row);
    } catch (TemporalUnavailable e) {
      LOG.warn("rollout {} is recorded and starts later: {}", row.id(), e.getMessage());
    }
  }

  private static void requireSame(RolloutRow known, RolloutSpec spec, boolean draft) {
    if (known.state() == RolloutState.DRAFT && !draft) {
      throw ProblemException.conflict(
          "%s is a draft, which stays one until it is started: POST .../start".formatted(known.id().name()));
    }
    RolloutSpec before = RolloutJson.readSpec(known.plan());
    RolloutSpec now = spec.plan().waves().isEmpty() ? withWaves(spec, before.plan()) : spec;
    if (!now.equals(before)) {
      throw ProblemException.conflict(
          "the Idempotency-Key %s is that of the rollout \"%s\" by %s; another rollout needs another"
              .formatted(known.id().name(), known.title(), known.createdBy()));
    }
  }

  /// The recorded plan has the default waves, which the request left out.
  private static RolloutSpec withWaves(RolloutSpec spec, RolloutPlan before) {
    RolloutPlan plan = spec.plan();
    return spec.withPlan(plan.withWaves(before.waves()));
  }

  /// 422: faults that only releases and devices show.
  static ProblemException unprocessable(List<PlanViolation> violations) {
    return ProblemException.unprocessable(
        violations.stream()
            .map(planViolation -> RequestError.atPointer(planViolation.pointer(), planViolation.message()))
            .toList());
  }

  /// Locks and returns a draft. To be called within [AuditedTransaction#run].
  RolloutRow lockDraft(RolloutId id) {
    RolloutRow row = rollouts.lock(id).orElseGet(() -> find(id));
    if (row.state() != RolloutState.DRAFT) {
      throw ProblemException.conflict("the rollout is %s; expected a draft".formatted(row.state()));
    }
    return row;
  }

  RolloutRow find(RolloutId id) {
    return rollouts
        .find(id)
        .orElseThrow(() ->
            ProblemException.notFound(
                "there is no rollout %s in %s; one that ended long ago may be in the archive"
                    .formatted(id.name(), id.tenant())));
  }
}
