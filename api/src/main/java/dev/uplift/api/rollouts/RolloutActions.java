package dev.uplift.api.rollouts;

import dev.uplift.activities.temporal.RolloutWorkflowClient;
import dev.uplift.activities.temporal.UpdateResult;
import dev.uplift.api.problem.ProblemException;
import dev.uplift.api.request.Etag;
import dev.uplift.api.request.RequestContext;
import dev.uplift.fleet.RolloutId;
import dev.uplift.fleet.rollout.OperatorAction;
import dev.uplift.store.device.Precondition;
import dev.uplift.store.rollout.NewDecision;
import dev.uplift.store.rollout.RolloutDecisionRepository;
import dev.uplift.store.rollout.RolloutRow;
import dev.uplift.workflows.rollout.ActionResult;
import dev.uplift.workflows.rollout.RolloutAction;
import io.micronaut.http.HttpStatus;
import jakarta.inject.Singleton;

/// Passes actions of operators to a rollout, which decides about them, records them and answers.
@Singleton
final class RolloutActions {
  private final RolloutService service;
  private final RolloutDecisionRepository decisions;
  private final RolloutWorkflowClient control;

  RolloutActions(RolloutService service, RolloutDecisionRepository decisions, RolloutWorkflowClient control) {
    this.service = service;
    this.decisions = decisions;
    this.control = control;
  }

  /// The answer of the rollout; for a repeated action the first one. A call that only validates changes nothing.
  String execute(RequestContext requestContext, RolloutId id, RolloutAction action) {
    Precondition precondition = Etag.precondition(requestContext);
    return decisions
        .findByRequest(id, action.id())
        .map(before -> answer(before.decision(), action))
        .orElseGet(() -> executeNew(requestContext, id, action, precondition));
  }

  private static String answer(NewDecision before, RolloutAction action) {
    ActionResult result = action.repeated(before.decision(), before.message());
    if (!result.applied()) {
      throw ProblemException.conflict(result.message());
    }
    return result.message();
  }

  private String executeNew(
      RequestContext requestContext, RolloutId id, RolloutAction action, Precondition precondition) {
    RolloutRow row = RolloutController.requireRevision(precondition, service.find(id));
    if (isApprovalDecision(action.action()) && row.isAuthor(action.by())) {
      throw ProblemException.of(
          HttpStatus.FORBIDDEN,
          "%s created, changed or started this rollout; another person has to %s it"
              .formatted(action.by(), action.action()));
    }
    row.state()
        .refusal(action.action())
        .ifPresent(why -> {
          throw ProblemException.conflict(why);
        });
    action
        .expectedRevision()
        .filter(revision -> revision != row.revision())
        .ifPresent(revision -> {
          throw ProblemException.conflict(
              "the rollout is at revision %d, not %d; read it again".formatted(row.revision(), revision));
        });
    if (requestContext.isValidateOnly()) {
      return action.action() + " would be done";
    }
    return switch (control.update(id, expecting(precondition, action).from(requestContext.clientAddress()))) {
      case UpdateResult.Completed(String sentence) -> sentence;
      case UpdateResult.Rejected(String why) -> {
        // Perhaps another action came first.
        RolloutRow _ = RolloutController.requireRevision(precondition, service.find(id));
        throw ProblemException.conflict(why);
      }
      case UpdateResult.NotRunning() -> throw ended(id);
    };
  }

  /// The revision of the precondition, or else that of the action.
  private static RolloutAction expecting(Precondition precondition, RolloutAction action) {
    return action.withExpectedRevision(precondition.version().or(action::expectedRevision));
  }

  private static boolean isApprovalDecision(OperatorAction action) {
    return action == OperatorAction.APPROVE || action == OperatorAction.DENY;
  }

  private ProblemException ended(RolloutId id) {
    RolloutRow now = service.find(id);
    return ProblemException.conflict(
        now.outcome()
            .map(outcome -> "the rollout %s has ended: %s".formatted(id.name(), outcome))
            .orElse("the rollout %s is just beginning or ending; try again".formatted(id.name())));
  }
}
