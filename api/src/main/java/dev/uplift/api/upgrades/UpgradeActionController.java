package dev.uplift.api.upgrades;

import dev.uplift.activities.temporal.UpdateResult;
import dev.uplift.api.problem.ProblemException;
import dev.uplift.api.request.AuditedTransaction;
import dev.uplift.api.request.IdempotencyKey;
import dev.uplift.api.request.RequestContext;
import dev.uplift.api.security.Roles;
import dev.uplift.api.settings.RequiresApiRole;
import dev.uplift.store.upgrade.UpgradeRepository;
import dev.uplift.store.upgrade.UpgradeRow;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Post;
import io.micronaut.security.annotation.Secured;
import io.micronaut.serde.annotation.Serdeable;
import java.time.InstantSource;

/// Tells running upgrades what people want. One that does not do it says why: 409.
@RequiresApiRole
@Controller("/v1/tenants/{tenant}/upgrades/{id}")
@Secured(Roles.OPERATOR)
final class UpgradeActionController {
  private final UpgradeRepository upgrades;
  private final UpgradeActions actions;
  private final AuditedTransaction transaction;
  private final InstantSource clock;

  UpgradeActionController(UpgradeRepository upgrades, UpgradeActions actions, AuditedTransaction transaction, InstantSource clock) {
    this.clock = clock;
    this.upgrades = upgrades;
    this.actions = actions;
    this.transaction = transaction;
  }

  /// What the upgrade answered.
  ///
  /// @param message a sentence: what it does now, or what was interrupted
  @Serdeable
  record UpgradeActionResponse(String id, String message) {}

  @Post("/abort")
  UpgradeActionResponse abort(RequestContext requestContext, String id, HttpRequest<?> request) {
    return execute(requestContext, id, UpgradeAction.readSimple(UpgradeAction.Kind.ABORT, request));
  }

  @Post("/pause")
  UpgradeActionResponse pause(RequestContext requestContext, String id, HttpRequest<?> request) {
    return execute(requestContext, id, UpgradeAction.readSimple(UpgradeAction.Kind.PAUSE, request));
  }

  @Post("/resume")
  UpgradeActionResponse resume(RequestContext requestContext, String id, HttpRequest<?> request) {
    return execute(requestContext, id, UpgradeAction.readSimple(UpgradeAction.Kind.RESUME, request));
  }

  @Post("/retry-step")
  UpgradeActionResponse retryStep(RequestContext requestContext, String id, HttpRequest<?> request) {
    return execute(requestContext, id, UpgradeAction.readForHost(UpgradeAction.Kind.RETRY_STEP, request));
  }

  @Post("/skip-host")
  UpgradeActionResponse skipHost(RequestContext requestContext, String id, HttpRequest<?> request) {
    return execute(requestContext, id, UpgradeAction.readForHost(UpgradeAction.Kind.SKIP_HOST, request));
  }

  /// Until then things may be begun.
  @Post("/extend-deadline")
  UpgradeActionResponse extendDeadline(RequestContext requestContext, String id, HttpRequest<?> request) {
    return execute(requestContext, id, UpgradeAction.readExtendDeadline(request, clock.instant()));
  }

  @Post("/approve")
  UpgradeActionResponse approve(RequestContext requestContext, String id, HttpRequest<?> request) {
    return execute(requestContext, id, UpgradeAction.readSimple(UpgradeAction.Kind.APPROVE, request));
  }

  @Post("/deny")
  UpgradeActionResponse deny(RequestContext requestContext, String id, HttpRequest<?> request) {
    return execute(requestContext, id, UpgradeAction.readSimple(UpgradeAction.Kind.DENY, request));
  }

  private UpgradeActionResponse execute(RequestContext requestContext, String id, UpgradeAction upgradeAction) {
    UpgradeRow row = requireRunning(requestContext, IdempotencyKey.requireValid(id));
    UpgradeActions.requireOtherThanAuthor(row, upgradeAction, requestContext.caller().name());
    String said = requestContext.isValidateOnly() ? actions.validate(row, upgradeAction) : execute(requestContext, row, upgradeAction);
    return new UpgradeActionResponse(id, said);
  }

  private String execute(RequestContext requestContext, UpgradeRow row, UpgradeAction upgradeAction) {
    return switch (actions.execute(row, upgradeAction, requestContext.caller().name())) {
      case UpdateResult.Completed(String sentence) -> {
        recordAudit(requestContext, row, upgradeAction);
        yield sentence;
      }
      case UpdateResult.Rejected(String why) -> throw ProblemException.conflict(why);
      case UpdateResult.NotRunning() -> {
        // It may have ended while it was asked.
        UpgradeRow now = requireRunning(requestContext, row.id());
        throw ProblemException.conflict(
            "the upgrade %s is just beginning or ending; try again".formatted(now.id()));
      }
    };
  }

  private UpgradeRow requireRunning(RequestContext requestContext, String id) {
    UpgradeRow row =
        upgrades.find(requestContext.tenant(), id).orElseThrow(() -> UpgradeController.notFound(requestContext, id));
    row.end().ifPresent(end -> UpgradeActions.throwEnded(row, end));
    return row;
  }

  private void recordAudit(RequestContext requestContext, UpgradeRow row, UpgradeAction upgradeAction) {
    transaction.run(
        requestContext,
        () -> {
          transaction.recordAudit(requestContext, "upgrade." + upgradeAction.kind(), "upgrade/" + row.id(), upgradeAction.auditText());
          return row;
        });
  }
}
