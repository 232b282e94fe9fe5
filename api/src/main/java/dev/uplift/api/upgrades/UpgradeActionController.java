package dev.uplift.api.upgrades;

import dev.uplift.activities.temporal.UpdateResult;
import dev.uplift.api.problem.ProblemException;
import dev.uplift.api.problem.RequestError;
import dev.uplift.api.request.AuditedTransaction;
import dev.uplift.api.request.IdempotencyKey;
import dev.uplift.api.request.RequestContext;
import dev.uplift.api.request.ResponseStatuses;
import dev.uplift.api.security.Roles;
import dev.uplift.api.settings.RequiresApiRole;
import dev.uplift.api.upgrades.UpgradeActionRequest.ExtendDeadlineRequest;
import dev.uplift.api.upgrades.UpgradeActionRequest.HostActionRequest;
import dev.uplift.store.upgrade.UpgradeRepository;
import dev.uplift.store.upgrade.UpgradeRow;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Post;
import io.micronaut.security.annotation.Secured;
import io.micronaut.serde.annotation.Serdeable;
import org.jspecify.annotations.Nullable;

/// Actions of operators on running upgrades. A rejected one answers 409 and says why.
@RequiresApiRole
@Controller("/v1/tenants/{tenant}/upgrades/{id}")
@Secured(Roles.OPERATOR)
final class UpgradeActionController {
  private final UpgradeRepository upgrades;
  private final UpgradeActions actions;
  private final AuditedTransaction transaction;

  UpgradeActionController(UpgradeRepository upgrades, UpgradeActions actions, AuditedTransaction transaction) {
    this.upgrades = upgrades;
    this.actions = actions;
    this.transaction = transaction;
  }

  /// The answer of the upgrade.
  ///
  /// @param message a sentence: what it does now, or what was interrupted
  @Serdeable
  record UpgradeActionResponse(String id, String message) {}

  /// Aborts an upgrade.
  ///
  /// Refused once it rolls back.
  @Post("/abort")
  @ResponseStatuses(409)
  UpgradeActionResponse abortUpgrade(
      RequestContext requestContext, String id, @Nullable @Body UpgradeActionRequest request) {
    return execute(requestContext, id, orEmpty(request).action(RequestedAction.Kind.ABORT));
  }

  /// Pauses an upgrade.
  ///
  /// Refused if it is paused already, or rolls back.
  @Post("/pause")
  @ResponseStatuses(409)
  UpgradeActionResponse pauseUpgrade(
      RequestContext requestContext, String id, @Nullable @Body UpgradeActionRequest request) {
    return execute(requestContext, id, orEmpty(request).action(RequestedAction.Kind.PAUSE));
  }

  /// Resumes a paused upgrade.
  ///
  /// Refused if it is not paused.
  @Post("/resume")
  @ResponseStatuses(409)
  UpgradeActionResponse resumeUpgrade(
      RequestContext requestContext, String id, @Nullable @Body UpgradeActionRequest request) {
    return execute(requestContext, id, orEmpty(request).action(RequestedAction.Kind.RESUME));
  }

  /// Repeats the step of a waiting host.
  ///
  /// Of a host that waits for a person; it need not be named if only one waits.
  @Post("/retry-step")
  @ResponseStatuses(409)
  UpgradeActionResponse retryStep(RequestContext requestContext, String id, @Nullable @Body HostActionRequest request) {
    return execute(requestContext, id, orEmpty(request).action(RequestedAction.Kind.RETRY_STEP));
  }

  /// Leaves a waiting host as it is.
  ///
  /// Of a host that waits for a person; it need not be named if only one waits.
  @Post("/skip-host")
  @ResponseStatuses(409)
  UpgradeActionResponse skipHost(RequestContext requestContext, String id, @Nullable @Body HostActionRequest request) {
    return execute(requestContext, id, orEmpty(request).action(RequestedAction.Kind.SKIP_HOST));
  }

  /// Extends the deadline of an upgrade.
  ///
  /// Until then it may begin with hosts. Refused for a time that is not later than its deadline, and once it rolls
  /// back.
  @Post("/extend-deadline")
  @ResponseStatuses(409)
  UpgradeActionResponse extendDeadline(RequestContext requestContext, String id, @Body ExtendDeadlineRequest request) {
    return execute(requestContext, id, request.action());
  }

  /// Approves an upgrade that waits for approval.
  ///
  /// Required if the upgrade was started with `require_approval`; not by the person who started it.
  @Post("/approve")
  @ResponseStatuses(409)
  UpgradeActionResponse approveUpgrade(
      RequestContext requestContext, String id, @Nullable @Body UpgradeActionRequest request) {
    return execute(requestContext, id, orEmpty(request).action(RequestedAction.Kind.APPROVE));
  }

  /// Denies an upgrade that waits for approval.
  ///
  /// It ends as `declined`, and nothing was changed. Not by the person who started it.
  @Post("/deny")
  @ResponseStatuses(409)
  UpgradeActionResponse denyUpgrade(
      RequestContext requestContext, String id, @Nullable @Body UpgradeActionRequest request) {
    return execute(requestContext, id, orEmpty(request).action(RequestedAction.Kind.DENY));
  }

  /// A body is optional where nothing in it is required.
  private static UpgradeActionRequest orEmpty(@Nullable UpgradeActionRequest request) {
    return request == null ? UpgradeActionRequest.EMPTY : request;
  }

  private static HostActionRequest orEmpty(@Nullable HostActionRequest request) {
    return request == null ? HostActionRequest.EMPTY : request;
  }

  private UpgradeActionResponse execute(RequestContext requestContext, String id, RequestedAction action) {
    requireNoPrecondition(requestContext);
    UpgradeRow row = requireRunning(requestContext, IdempotencyKey.requireValid(id));
    UpgradeActions.requireOtherThanAuthor(row, action, requestContext.caller().name());
    String said =
        requestContext.isValidateOnly()
            ? actions.validate(row, action, requestContext.caller().name())
            : execute(requestContext, row, action);
    return new UpgradeActionResponse(id, said);
  }

  private static void requireNoPrecondition(RequestContext requestContext) {
    if (requestContext.headers().contains(HttpHeaders.IF_MATCH)
        || requestContext.headers().contains(HttpHeaders.IF_NONE_MATCH)) {
      throw ProblemException.badRequest(
          RequestError.header(HttpHeaders.IF_MATCH, "an upgrade has no ETag; expected no condition"));
    }
  }

  /// Audits the action before it is sent: an action whose answer is lost may have been carried out. One that is refused
  /// all the same, because the upgrade has changed meanwhile, gets a second entry.
  private String execute(RequestContext requestContext, UpgradeRow row, RequestedAction action) {
    String _ = actions.validate(row, action, requestContext.caller().name());
    recordAudit(requestContext, row, action.kind().toString(), action.auditText());
    return switch (actions.execute(row, action, requestContext.caller().name())) {
      case UpdateResult.Completed(String sentence) -> sentence;
      case UpdateResult.Rejected(String why) -> {
        recordAudit(requestContext, row, action.kind() + "-refused", why);
        throw ProblemException.conflict(why);
      }
      case UpdateResult.NotRunning() -> {
        recordAudit(requestContext, row, action.kind() + "-refused", "it does not run");
        // It may have ended while it was asked.
        UpgradeRow now = requireRunning(requestContext, row.id());
        throw ProblemException.conflict("the upgrade %s is just beginning or ending; try again".formatted(now.id()));
      }
    };
  }

  private UpgradeRow requireRunning(RequestContext requestContext, String id) {
    UpgradeRow row =
        upgrades.find(requestContext.tenant(), id).orElseThrow(() -> UpgradeController.notFound(requestContext, id));
    row.end().ifPresent(end -> UpgradeActions.throwEnded(row, end));
    return row;
  }

  private void recordAudit(RequestContext requestContext, UpgradeRow row, String what, String detail) {
    transaction.run(
        requestContext,
        () -> {
          transaction.recordAudit(requestContext, "upgrade." + what, "upgrade/" + row.id(), detail);
          return row;
        });
  }
}
